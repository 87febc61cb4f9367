import Foundation
import PaginatorCore
import Testing

/// What an alert of an app shows of an error of the library.
struct LocalizedErrorTests {
    @Test func `each code has a sentence of its own, which contains no keys`() {
        let codes: [PaginatorError.Code] = [
            .invalidKey, .expiredKey, .sourceFailed, .timedOut, .rejectedByValidation, .repeatedKey, .cancelled,
            .superseded, .notInCache, .offline, .heldBack, .throttled, .released, .storeFailed, .invalidBookmark,
        ]
        let sentences = codes.map { code -> String in
            let error: any Error = PaginatorError(code, "The page secret#20 failed.")
            return error.localizedDescription
        }
        #expect(Set(sentences).count == codes.count)
        for sentence in sentences {
            #expect(sentence.hasSuffix(".") && !sentence.contains("secret") && !sentence.contains("PaginatorError"))
        }
    }

    @Test func `the details are the reason of the failure, also for who has an NSError`() {
        let error: any Error = PaginatorError(.offline, "No network.")
        #expect(error.localizedDescription == "There is no connection.")
        #expect((error as? any LocalizedError)?.failureReason == "No network.")
        #expect((error as NSError).localizedDescription == "There is no connection.")
    }
}
