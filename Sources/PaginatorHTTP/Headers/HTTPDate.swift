/// Reads the dates of HTTP, RFC 9110, section 5.6.7: the fixed format and the two obsolete ones.
enum HTTPDate {
    /// Returns the seconds since 1970; `nil` for an invalid date.
    ///
    /// - Parameters:
    ///   - text: a header field's value.
    ///   - now: the current time in seconds since 1970, which determines the century of a year with two digits.
    static func seconds(_ text: String, now: Double) -> Double? {
        let parts = text.split { $0 == " " || $0 == "," }.map(String.init)
        switch parts.count {
        case 6: return fixed(parts)
        case 4: return obsolete(parts, now: now)
        case 5: return ascTime(parts)
        default: return nil
        }
    }

    /// Returns the seconds since 1970 of a time in UTC by RFC 3339, a form of ISO 8601, such as
    /// `1994-11-06T08:49:37.123Z`; `nil` for an invalid one.
    static func internetSeconds(_ text: String) -> Double? {
        let parts = text.split(separator: "T", omittingEmptySubsequences: false)
        guard parts.count == 2, let zone = ["Z", "+00:00"].first(where: parts[1].hasSuffix) else { return nil }
        let date = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        let clock = parts[1].dropLast(zone.count)
        let time = clock.prefix { $0 != "." }
        guard date.count == 3, date[0].count == 4, let month = number(date[1], in: 1...12),
            let seconds = seconds(
                day: String(date[2]), month: months[month - 1], year: Int(date[0]), time: String(time)),
            let fraction = Double("0" + clock.dropFirst(time.count))
        else { return nil }
        return seconds + fraction
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`
    private static func fixed(_ parts: [String]) -> Double? {
        guard parts[5] == "GMT", parts[3].count == 4 else { return nil }
        return seconds(day: parts[1], month: parts[2], year: Int(parts[3]), time: parts[4])
    }

    /// `Sunday, 06-Nov-94 08:49:37 GMT`
    private static func obsolete(_ parts: [String], now: Double) -> Double? {
        let date = parts[1].split(separator: "-").map(String.init)
        guard parts[3] == "GMT", date.count == 3, date[2].count == 2, let short = Int(date[2]), short >= 0 else {
            return nil
        }
        // Clamped, so that a clock that is far off cannot overflow the year.
        let present = 1970 + Int(max(-9e9, min(now, 9e9)) / 31_556_952)
        var year = present - present % 100 + short
        // More than 50 years ahead is in the past, RFC 9110, section 5.6.7.
        if year > present + 50 { year -= 100 }
        return seconds(day: date[0], month: date[1], year: year, time: parts[2])
    }

    /// `Sun Nov  6 08:49:37 1994`
    private static func ascTime(_ parts: [String]) -> Double? {
        guard parts[4].count == 4 else { return nil }
        return seconds(day: parts[2], month: parts[1], year: Int(parts[4]), time: parts[3])
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func seconds(day: String, month: String, year: Int?, time: String) -> Double? {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false)
        guard let day = number(day[...], in: 1...31), let month = months.firstIndex(of: month), let year,
            (1...9_999).contains(year), clock.count == 3,
            let hour = number(clock[0], in: 0...23), let minute = number(clock[1], in: 0...59),
            // 60 is a leap second.
            let second = number(clock[2], in: 0...60)
        else { return nil }
        let days = daysSince1970(year: year, month: month + 1, day: day)
        return Double(days * 86_400 + hour * 3_600 + minute * 60 + second)
    }

    private static func number(_ text: Substring, in range: ClosedRange<Int>) -> Int? {
        guard (1...2).contains(text.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let value = Int(text), range.contains(value)
        else { return nil }
        return value
    }

    /// Counts days in the Gregorian calendar, with years that begin in March so that leap days come last.
    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let marchYear = month > 2 ? year : year - 1
        let marchMonth = (month + 9) % 12
        let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
        return marchYear * 365 + leapDays + (marchMonth * 306 + 5) / 10 + day - 1 - 719_468
    }
}
