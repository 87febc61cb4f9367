#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension PaginatorError: LocalizedError {
    /// A sentence in English for the app's user, without keys: one for each ``code``. It is the `localizedDescription`.
    /// An app in another language needs its own sentence for each code.
    public var errorDescription: String? {
        switch code {
        case .invalidKey, .invalidPageSize, .invalidDepth: "This page cannot be asked for."
        case .expiredKey: "This place is no longer available. Start again from the beginning."
        case .sourceFailed: "The page could not be loaded."
        case .timedOut: "The page took too long to load."
        case .rejectedByValidation: "The page that came cannot be used."
        case .repeatedKey: "There are no further pages, because one leads back to another."
        case .cancelled: "Loading was cancelled."
        case .superseded: "A newer request took the place of this one."
        case .notInCache: "The page has not been saved on this device."
        case .offline: "There is no connection."
        case .heldBack: "Loading waits for better conditions."
        case .throttled: "The service is busy. Try again later."
        case .released: "Loading has ended."
        case .storeFailed: "The saved pages could not be used."
        case .invalidBookmark: "The saved place cannot be used."
        }
    }

    /// The details of the failure: the ``message``, which may contain keys.
    public var failureReason: String? { message }
}
