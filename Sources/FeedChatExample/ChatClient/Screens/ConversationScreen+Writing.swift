package import ChatWire

/// What the user writes here.
extension ConversationScreen {
    package func send(_ text: String) async {
        await attempt("The message could not be kept") { try await $0.send(text, to: $1) }
    }

    /// Sends an image or a video beside what is being written.
    package func send(_ media: NewMedia, with text: String = "") async {
        let limit = NewMedia.limit / 1_000_000
        guard storage?.status.level != .critical else {
            return say("There is no space to keep a photo or a video until it is sent")
        }
        do {
            try await service.send(media, with: text, to: contactId)
            state.errorMessage = nil
        } catch NewMedia.Refusal.tooLarge {
            state.errorMessage = "A file of more than \(limit) MB cannot be sent"
        } catch NewMedia.Refusal.unreadable {
            state.errorMessage = "The file is no image or video that can be sent"
        } catch {
            state.errorMessage = "The message could not be kept"
        }
        publish()
    }

    package func sendPlace(latitude: Double, longitude: Double, name: String) async {
        await attempt("The message could not be kept") {
            try await $0.sendPlace(latitude: latitude, longitude: longitude, name: name, to: $1)
        }
    }

    package func type(_ text: String) async {
        state.draft = text
        suggest()
        draftWrites.running += 1
        await attempt("The draft could not be kept") { try await $0.type(text, to: $1) }
        draftWrites.running -= 1
        draftWrites.ended += 1
    }

    /// Writes out the name that is being typed.
    package func mention(_ member: GroupMember) async { await type(Mentions.complete(state.draft, with: member)) }

    func suggest() {
        let others = state.group?.members.filter { $0.userId != service.database.userId } ?? []
        state.mentionSuggestions = Mentions.suggestions(for: state.draft, of: others)
    }
}
