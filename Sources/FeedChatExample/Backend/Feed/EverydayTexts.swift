/// The texts of an everyday feed: short posts about a few subjects, each with matching pictures.
enum EverydayTexts {
    struct Subject {
        /// The prefix of the names of its pictures, see ``SampleScene``.
        let pictures: String
        let captions: [String]
        let sentences: [String]
        /// The places and objects of remarks.
        let places: [String]
        let finds: [String]
    }

    static let names = [
        "Marta Lindqvist", "Tomás Rivera", "Noor Haddad", "Jonas Weber", "Mei-Lin Chen", "Yusuf Demir",
        "Ingrid Solberg",
        "Piotr Kowalski", "Amara Okafor", "Hannah Brandt", "ليلى حداد", "佐藤 由美",
    ]

    static let subjects = [
        Subject(
            pictures: "peaks", captions: ["From the hut, before breakfast", "The north side", "Half way up"],
            sentences: [
                "First frost on the ridge this morning.",
                "The path above the lake is open again, but take shoes with a grip.",
                "We walked from one valley into the next and met nobody but a dog, who came along for an hour.",
                "<b>The hut is closed until Thursday.</b> The spring behind it runs.",
                "Twelve kilometres, nine hundred metres up, one blister.",
                "My 日本語 class came along, and now I can say avalanche.",
                "Clouds until noon, then nothing but sky.",
                "Somebody has painted the markers anew. Thank you, whoever you are.",
            ],
            places: [
                "above the hut", "on the ridge", "at the spring", "below the north side", "at the upper lake",
                "on the long scree", "by the summit cross", "in the valley",
            ],
            finds: [
                "nobody but two goats", "snow up to the ankles", "fog until ten, then all of it at once",
                "a marmot who wanted my lunch", "soup, and a bench in the sun", "the last of the cranberries",
                "a hiker who taught me 日本語 for snow", "wind, and more wind", "an eagle, twice",
                "new boots, old mistake", "thunder, so we turned round", "a view as far as the sea",
            ]),
        Subject(
            pictures: "sea", captions: ["The bay at six in the evening", "Out past the lighthouse", "Flat as a plate"],
            sentences: [
                "Night train to the coast. Window seat, a thermos, and four hundred pages.",
                "The ferry runs every hour again, and takes bicycles.", "Swam to the buoy and back. Fourteen degrees.",
                "A seal looked at us for ten minutes and was not impressed.",
                "The old harbour office has its façade back, blue as in the postcards.",
                "Does anybody know a bakery near the harbour that still makes rye bread the old way?",
                "日本語で「波」は wave. The new kiosk has it on its sign.",
                "High tide at seven; the lower path is under water until nine.",
            ],
            places: [
                "at the old pier", "past the lighthouse", "on the ferry", "in the bay", "at the harbour wall",
                "on the sandbank", "by the boathouse", "out at the buoy",
            ],
            finds: [
                "fourteen degrees and no regrets", "two porpoises, gone at once",
                "the façade of the old office, blue again", "mussels for six", "no wind, so we rowed",
                "a bottle without a letter", "rain from the side", "fog horns before breakfast",
                "herring, and a long queue", "the best light of the year", "a kite in somebody's soup",
                "波, which is 日本語 for wave",
            ]),
        Subject(
            pictures: "city", captions: ["From the roof", "The corner by the station", "After work"],
            sentences: [
                "The library has extended its hours: open until ten on weekdays, and the reading room has new lamps.",
                "They took the scaffolding down, and the theatre has a <i>façade</i> again.",
                "Tram 4 goes around the square this week. Ask me how I know.",
                "Small thing that made the day: the repair shop fixed the lamp, and wrote down what was wrong with it.",
                "A heron, standing in the car park, as if it had paid.",
                "日本語 evening on Tuesday, second floor. Beginners welcome.",
                "Market on Saturday, from eight, rain or not.", "The lift works. I repeat: the lift works.",
            ],
            places: [
                "on the roof", "in tram 4", "at the corner shop", "in the reading room", "under the railway bridge",
                "in the square", "at the night market", "behind the theatre",
            ],
            finds: [
                "a brass band, out of nowhere", "a chess game with forty people watching", "the smell of new bread",
                "a façade in three colours", "free chairs, slightly broken", "a cat in the window of the bank",
                "violin practice, the same bar again", "a sign in 日本語 and in chalk", "a bicycle made of three",
                "lanterns in every tree", "the pigeons have won", "a very small parade",
            ]),
        Subject(
            pictures: "garden", captions: ["All from one packet of seeds", "The bed by the wall", "July"],
            sentences: [
                "Planted the last of the garlic. See you in July.",
                "The bees came back, all of them, and in a good mood.",
                "Half of the orchard is picked. There are crates at the gate, take what you can carry.",
                "A naïve question: who eats the leaves and leaves the slugs?",
                "Ivy covers the whole façade of the shed now. I gave up and called it a plan.",
                "Tomatoes: forty. Neighbours who want tomatoes: none.", "Rain at last. I stood in it for a while.",
                "The compost is warm. I am told that this is good.",
            ],
            places: [
                "in the greenhouse", "by the wall", "under the apple tree", "in the third bed", "at the gate",
                "behind the shed", "next to the pond", "in the hedge",
            ],
            finds: [
                "a hedgehog, asleep", "beans as long as an arm", "ivy over the whole façade of the shed",
                "a frog who lives here now", "twelve pumpkins", "mint, everywhere, for ever", "a wren and her five",
                "the neighbour's cat, being innocent", "roses in the wrong colour", "a spade that I had given up",
                "snails in formation", "one perfect pear",
            ]),
        Subject(
            pictures: "hills", captions: ["The long way home", "Evening light", "Where the road ends"],
            sentences: [
                "Rode out to the mill and back before the rain.",
                "Found the gap in the hedge that everybody talks about.",
                "Two hours, no phone, nothing to report. Recommended.",
                "The farm shop has eggs, and a dog who checks what you bought.",
                "日本語 podcast number eighty, uphill all the way.",
                "The chapel's façade is being cleaned. It is yellow! Nobody knew.",
                "Wind from the east, so the village smells of bread.", "Saw three hares and one very surprised fox.",
            ],
            places: [
                "on the old road", "at the mill", "by the chapel", "at the ford", "up at the wind wheel",
                "in the beech wood", "along the hedge", "past the last farm",
            ],
            finds: [
                "three hares and a fox", "a gate that sings", "blackberries on both sides", "sheep in no hurry",
                "a flat tyre and good company", "mud to the knees", "a rainbow, a whole one", "an owl by daylight",
                "cherries from a stranger", "a yellow façade, and nobody knew", "honey for sale, no seller",
                "the longest shadow of the year",
            ]),
        Subject(
            pictures: "hills", captions: [],
            sentences: [
                "Slides from the talk on <a href=\"https://example.org/cursors\">cursors and pages</a> are up.",
                "Thanks to everybody who asked the hard questions; the one about deleted rows is answered on page 31 now.",
                "Finished the bridge model. Eleven evenings, two broken blades, and it holds a dictionary.",
                "The choir is looking for two basses and one person who can read the handwriting of our conductor.",
                "Today's bug: a clock that went back an hour, and a list that believed it.",
                "Learned to solder. Learned where the plasters are.",
                "Reading week: one novel, one manual, and one letter from 1911.",
                "If it works the first time, look again. <code>nil</code> is patient.",
            ],
            places: [
                "in the workshop", "at the choir", "on the train", "in the evening class", "at the kitchen table",
                "in the lab", "at the repair evening", "in the library",
            ],
            finds: [
                "a proof that fits on a napkin", "the clock runs, backwards", "one screw left over",
                "a chorus without a tenor", "page 400 of 900", "coffee on the only copy", "a knot that holds",
                "somebody explained it with spoons", "the test found it first", "日本語, lesson nine",
                "glue, mostly on me", "a radio that speaks Finnish",
            ]),
        Subject(
            pictures: "city", captions: ["Table for six", "Sunday"],
            sentences: [
                "Bonne nouvelle : la boulangerie rouvre lundi.",
                "Heute im Kino um die Ecke: der Film ohne Ton, mit Klavier.",
                "صباح الخير من السوق. القهوة جاهزة.", "今日の日本語: 木漏れ日。", "Mañana hay concierto en la plaza, a las ocho.",
                "Soup for twelve, and fourteen came. It was enough.",
                "New recipe, old pan. The smoke detector is fine, thanks for asking.",
                "Coffee with Noor, who has a plan and needs a ladder.",
            ],
            places: [
                "at the long table", "in the bakery", "at the cinema", "on the market", "at the neighbours'",
                "in the courtyard", "at the café by the bridge", "in the small hall",
            ],
            finds: [
                "soup for twelve, and fourteen came", "dumplings, a lesson", "a film without a sound",
                "a menu in 日本語", "a song in five languages", "too much basil", "olives from somebody's aunt",
                "a cake that leaned", "chestnuts, too hot", "dancing, between the chairs",
                "a toast to nobody in particular", "bread that took three days",
            ]),
    ]

    private static let times = [
        "This morning", "Yesterday", "On Tuesday", "Before breakfast", "At noon", "After the rain", "On the way home",
        "At six in the evening", "Last night", "On Sunday", "Half an hour ago", "For once on time",
    ]

    /// Returns a remark about a subject: a different one for each number, until all were used.
    static func remark(_ number: Int, of subject: Subject) -> String {
        let (finds, places) = (subject.finds.count, subject.places.count)
        // Neighboring numbers differ in all three parts, and no number repeats before the last one.
        let all = finds * places * times.count
        let index = (number * 487 % all + all) % all
        let (find, place, time) = (index % finds, index / finds % places, index / finds / places)
        return "\(times[time]), \(subject.places[place]): \(subject.finds[find])."
    }

    /// Returns a post about a subject: a remark that no other post has, and sometimes more.
    ///
    /// - Parameter number: the number of earlier posts about the subject, counted separately for long ones.
    static func makeContent(of subject: Subject, number: Int, isLong: Bool, _ random: inout SeededNumbers) -> String {
        let sentence = subject.sentences[random.below(subject.sentences.count)]
        // Long posts are numbered from the other end.
        let count = subject.finds.count * subject.places.count * times.count
        let remarks =
            isLong ? (1...8).map { remark(count - 8 * number - $0, of: subject) } : [remark(number, of: subject)]
        switch (isLong, random.below(8)) {
        case (true, _):
            return [[sentence] + remarks.prefix(4), Array(remarks.dropFirst(4))]
                .map { "<p>\($0.joined(separator: " "))</p>" }.joined()
        case (_, 0): return "<p>\(sentence) \(remarks[0])</p>"
        case (_, 1): return "<p>\(remarks[0]) \(sentence)</p>"
        default: return "<p>\(remarks[0])</p>"
        }
    }
}
