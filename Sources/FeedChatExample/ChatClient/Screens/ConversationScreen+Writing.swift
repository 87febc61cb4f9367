package import ChatWire

/// Writing of messages.
extension ConversationScreen {
    package func send(_ text: String) async {
        await attempt(service.texts.messageNotKept) { try await $0.send(text, to: $1) }
    }

    /// Sends an image or a video; the draft stays.
    package func send(_ media: NewMedia, with text: String = "") async {
        let limit = NewMedia.limit / 1_000_000
        guard storage?.status.level != .critical else {
            return say(service.texts.noSpaceForMedia)
        }
        do {
            try await service.send(media, with: text, to: contactId)
            state.errorMessage = nil
        } catch NewMedia.Refusal.tooLarge {
            state.errorMessage = service.texts.fileTooLarge(limit)
        } catch NewMedia.Refusal.unreadable {
            state.errorMessage = service.texts.fileNotRead
        } catch {
            state.errorMessage = service.texts.messageNotKept
        }
        publish()
    }

    package func sendPlace(latitude: Double, longitude: Double, name: String) async {
        await attempt(service.texts.messageNotKept) {
            try await $0.sendPlace(latitude: latitude, longitude: longitude, name: name, to: $1)
        }
    }

    package func type(_ text: String) async {
        state.draft = text
        suggest()
        draftWrites.running += 1
        await attempt(service.texts.draftNotKept) { try await $0.type(text, to: $1) }
        draftWrites.running -= 1
        draftWrites.ended += 1
    }

    /// Completes the name that is being typed.
    package func mention(_ member: GroupMember) async { await type(Mentions.complete(state.draft, with: member)) }

    func suggest() {
        let others = state.group?.members.filter { $0.userId != service.database.userId } ?? []
        state.mentionSuggestions = Mentions.suggestions(for: state.draft, of: others)
    }
}
