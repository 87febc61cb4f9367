package import ChatWire

/// Writing of messages. The functions return the text of their failure.
extension ConversationScreen {
    @discardableResult
    package func send(_ text: String) async -> String? {
        await attempt(service.texts.messageNotKept) { try await $0.send(text, to: $1) }
    }

    /// Sends an image or a video; the draft stays.
    @discardableResult
    package func send(_ media: NewMedia, with text: String = "") async -> String? {
        guard storage?.status.level != .critical else {
            say(service.texts.noSpaceForMedia)
            return service.texts.noSpaceForMedia
        }
        return await attempt(service.texts.messageNotKept) { try await $0.send(media, with: text, to: $1) }
    }

    @discardableResult
    package func sendPlace(latitude: Double, longitude: Double, name: String) async -> String? {
        await attempt(service.texts.messageNotKept) {
            try await $0.sendPlace(latitude: latitude, longitude: longitude, name: name, to: $1)
        }
    }

    @discardableResult
    package func type(_ text: String) async -> String? {
        state.draft = text
        suggest()
        draftWrites.running += 1
        let failure = await attempt(service.texts.draftNotKept) { try await $0.type(text, to: $1) }
        draftWrites.running -= 1
        draftWrites.ended += 1
        return failure
    }

    /// Completes the name that is being typed.
    @discardableResult
    package func mention(_ member: GroupMember) async -> String? {
        await type(Mentions.complete(state.draft, with: member))
    }

    func suggest() {
        let others = state.group?.members.filter { $0.userId != service.database.userId } ?? []
        state.mentionSuggestions = Mentions.suggestions(for: state.draft, of: others)
    }
}
