import PaginatorTesting
import Testing

@testable import PaginatorHTTP

struct HTTPDateTests {
    static let now = 1_700_000_000.0

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777.0),
        ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
        ("Sun Nov  6 08:49:37 1994", 784_111_777),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000),
        ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
        ("Mon, 01-Jan-70 00:00:00 GMT", 3_155_760_000),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
    ])
    func `reads the three formats`(_ text: String, _ seconds: Double) {
        #expect(HTTPDate.seconds(text, now: Self.now) == seconds)
    }

    @Test(arguments: [
        "", "0", "-1", "tomorrow", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Nov 1994 24:49:37 GMT",
        "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49 GMT", "Sun, +6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 99999 08:49:37 GMT",
        "Sun, 06 Nov 1994 8:4:-3 GMT", "Sun, 006 Nov 1994 08:49:37 GMT",
    ])
    func `refuses what is no date`(_ text: String) {
        #expect(HTTPDate.seconds(text, now: Self.now) == nil)
    }

    /// A two-digit year more than 50 years ahead lies in the past.
    @Test func `chooses the century`() {
        let past = HTTPDate.seconds("Sunday, 06-Nov-94 08:49:37 GMT", now: Self.now) ?? 0
        let ahead = HTTPDate.seconds("Sunday, 06-Nov-50 08:49:37 GMT", now: Self.now) ?? 0
        #expect(past < Self.now && ahead > Self.now)
        // In November 2023, 2073 is 50 years ahead, and 2074 is more.
        #expect(HTTPDate.seconds("Monday, 06-Nov-73 08:49:37 GMT", now: Self.now) == 3_277_183_777)
        #expect(HTTPDate.seconds("Wednesday, 06-Nov-74 08:49:37 GMT", now: Self.now) == 152_959_777)
    }

    /// Days count up by one, over every leap year of two centuries.
    @Test func `counts every day`() {
        let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        var expected = 0.0
        for year in 1970..<2130 {
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            for (month, length) in lengths.enumerated() {
                for day in 1...(length + (isLeap && month == 1 ? 1 : 0)) {
                    let text = "Xxx, \(day < 10 ? "0" : "")\(day) \(months[month]) \(year) 00:00:00 GMT"
                    guard HTTPDate.seconds(text, now: 0) == expected else {
                        Issue.record("\(text) is not \(expected)")
                        return
                    }
                    expected += 86_400
                }
            }
        }
    }
}
