// Writes mutants into the Swift files of a folder, for scripts/mutants.
//
//   make-mutants FOLDER LIST REFUSED [WANTED]
//
// LIST gets a line for each mutant: number, file, first line, last line, kind, text. REFUSED has the numbers of those that
// are not written; WANTED, where it is given, of those that alone are.
import Foundation
import SwiftOperators
import SwiftParser
import SwiftSyntax

func numbers(in path: String) throws -> Set<Int> {
    Set(try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").compactMap { Int($0) })
}

let arguments = CommandLine.arguments
let folder = URL(fileURLWithPath: arguments[1])
let refused = try numbers(in: arguments[3])
let wanted = arguments.count > 4 ? try numbers(in: arguments[4]) : nil

let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
var list = ""
var number = 0
for name in files.sorted() where name.hasSuffix(".swift") {
    let url = folder.appendingPathComponent(name)
    let bytes = [UInt8](try Data(contentsOf: url))
    let source = String(decoding: bytes, as: UTF8.self)
    // Precedence is needed to find the operands; an operator that is not known leaves its expression as it is.
    let folded = OperatorTable.standardOperators.foldAll(Parser.parse(source: source)) { _ in }
    guard let tree = folded.as(SourceFileSyntax.self) else { continue }
    let lines = SourceLocationConverter(fileName: name, tree: tree)
    var insertions: [(offset: Int, length: Int, isEnd: Bool, order: Int, text: String)] = []
    for mutant in MutantFinder(tree).mutants {
        number += 1
        let first = lines.location(for: AbsolutePosition(utf8Offset: mutant.range.lowerBound)).line
        let last = lines.location(for: AbsolutePosition(utf8Offset: mutant.range.upperBound)).line
        let text = String(decoding: bytes[mutant.range], as: UTF8.self)
            .split(whereSeparator: { $0 == "\n" || $0 == "\t" }).joined(separator: " ").prefix(160)
        list += "\(number)\t\(name)\t\(first)\t\(last)\t\(mutant.kind)\t\(text)\n"
        guard !refused.contains(number), wanted?.contains(number) ?? true else { continue }
        for insertion in mutant.insertions {
            let isEnd = insertion.offset >= mutant.range.upperBound
            insertions.append(
                (
                    insertion.offset, mutant.range.count, isEnd, number,
                    insertion.text.replacing("%", with: "\(number)")
                ))
        }
    }
    // Around the same part, what is found later stands within what is found first; ends come before beginnings.
    insertions.sort {
        if $0.offset != $1.offset { return $0.offset < $1.offset }
        if $0.isEnd != $1.isEnd { return $0.isEnd }
        if $0.length != $1.length { return $0.isEnd ? $0.length < $1.length : $0.length > $1.length }
        return $0.isEnd ? $0.order > $1.order : $0.order < $1.order
    }
    var output: [UInt8] = []
    var place = 0
    for insertion in insertions {
        output += bytes[place..<insertion.offset] + Array(insertion.text.utf8)
        place = insertion.offset
    }
    output += bytes[place...]
    if !insertions.isEmpty { try Data(output).write(to: url) }
}
try list.write(toFile: arguments[2], atomically: true, encoding: .utf8)
