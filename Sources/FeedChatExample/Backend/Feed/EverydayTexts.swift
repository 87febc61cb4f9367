/// What people write in the feed that one opens: short posts about a few subjects, each with pictures that fit.
enum EverydayTexts {
    struct Subject {
        /// The beginning of the names of its pictures, see ``SampleScene``.
        let pictures: String
        let captions: [String]
        /// Each may stand alone; several keep their order.
        let sentences: [String]
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
            ]),
    ]

    /// A post about one of the subjects: a sentence or a few, and seldom all that there is to say.
    static func makeContent(of subject: Subject, isLong: Bool, _ random: inout SeededNumbers) -> String {
        if isLong {
            let half = subject.sentences.count / 2
            return [subject.sentences.prefix(half), subject.sentences.dropFirst(half)]
                .map { "<p>\($0.joined(separator: " "))</p>" }.joined()
        }
        let places = Set((0...random.below(3)).map { _ in random.below(subject.sentences.count) }).sorted()
        return "<p>\(places.map { subject.sentences[$0] }.joined(separator: " "))</p>"
    }
}
