import PaginatorTesting
import Testing

@testable import PaginatorCore

/// Of a part that is requested in bytes, half of the bytes are enough.
@Suite struct PartBudgetTests {
    @Test func `exactly half of the bytes are enough, and one less is not`() {
        let rig = PartRig()
        #expect(rig.fetch(.bytes(700)).count == 7)
        #expect(rig.fetch(.bytes(1_400)).origin == .memory)
        #expect(rig.calls == [0..<7], "700 of 1,400 bytes")
        #expect(rig.fetch(.bytes(1_402)).count == 14)
        #expect(rig.calls == [0..<7, 7..<14])
    }
}
