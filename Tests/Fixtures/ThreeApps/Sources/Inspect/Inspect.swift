import Foundation
import PaginatorInspector

/// `inspect FILE`: shows a recording in the browser, until the command is ended; scripts/inspect builds and starts it.
@main
enum Inspect {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        guard let path = arguments.first, let port = UInt16(arguments.dropFirst().first ?? "0") else {
            return fail("usage: inspect FILE [PORT]")
        }
        do {
            let recording = try PaginatorRecording(contentsOf: URL(filePath: path))
            let server = try await recording.serve(port: port)
            print("\(recording.eventCount) events of \(recording.names.joined(separator: ", "))")
            print("open \(server.url)")
            fflush(nil)
            // Never resumed: it serves until the command is ended.
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            await server.stop()
        } catch {
            fail("\(path): \(error)")
        }
    }

    private static func fail(_ message: String) {
        FileHandle.standardError.write(Data("error: \(message)\n".utf8))
        exit(1)
    }
}
