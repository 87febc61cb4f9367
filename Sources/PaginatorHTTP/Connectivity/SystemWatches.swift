#if canImport(Network)
    import Dispatch
    import Foundation
    import Network

    #if canImport(UIKit) && (os(iOS) || os(visionOS))
        import UIKit
    #endif

    /// Reports the network's state from the system's path monitor.
    ///
    /// `@unchecked Sendable`: `monitor` never changes, and may be used from any thread.
    final class PathWatch: @unchecked Sendable {
        private let monitor = NWPathMonitor()

        init(_ update: @escaping SystemConnectivity.Update) {
            monitor.pathUpdateHandler = { path in
                let link = DeviceState.Link(
                    isUnusable: path.status == .unsatisfied, isExpensive: path.isExpensive,
                    isConstrained: path.isConstrained)
                update { $0.link = link }
            }
            monitor.start(queue: DispatchQueue(label: "paginator.path"))
        }

        deinit {
            monitor.cancel()
        }
    }

    /// Reports the state of power, temperature and the app from the system's notifications.
    ///
    /// `@unchecked Sendable`: only `init` writes `observers`, and the notification center may be used from any thread.
    final class DeviceWatch: @unchecked Sendable {
        private var observers: [any NSObjectProtocol] = []

        init(_ update: @escaping SystemConnectivity.Update) {
            for name in [.NSProcessInfoPowerStateDidChange, ProcessInfo.thermalStateDidChangeNotification] {
                observe(name) { Self.look(update) }
            }
            // By name, because in some SDKs the constants are isolated to the main actor.
            #if os(iOS) || os(tvOS) || os(visionOS)
                let app = "UIApplication"
            #elseif os(watchOS)
                let app = "WKApplication"
            #endif
            #if os(iOS) || os(tvOS) || os(visionOS) || os(watchOS)
                observe(Notification.Name(app + "DidEnterBackgroundNotification")) {
                    update { $0.isInBackground = true }
                }
                observe(Notification.Name(app + "WillEnterForegroundNotification")) {
                    update { $0.isInBackground = false }
                }
            #endif
            #if os(iOS) || os(visionOS) || os(watchOS)
                update { $0.isCharging = false }
            #endif
            #if canImport(UIKit) && (os(iOS) || os(visionOS))
                observe(Notification.Name("UIDeviceBatteryStateDidChangeNotification")) { Self.lookAtBattery(update) }
                Self.lookAtBattery(update)
            #endif
            Self.look(update)
        }

        deinit {
            for observer in observers { NotificationCenter.default.removeObserver(observer) }
        }

        private func observe(_ name: Notification.Name, _ body: @escaping @Sendable () -> Void) {
            observers.append(
                NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in body() })
        }

        #if canImport(UIKit) && (os(iOS) || os(visionOS))
            private static func lookAtBattery(_ update: @escaping SystemConnectivity.Update) {
                Task { @MainActor in
                    UIDevice.current.isBatteryMonitoringEnabled = true
                    let state = UIDevice.current.batteryState
                    let isCharging = state == .charging || state == .full
                    update { $0.isCharging = isCharging }
                }
            }
        #endif

        private static func look(_ update: SystemConnectivity.Update) {
            // Read in order: of two notices at once, the later must not report the earlier state.
            update {
                $0.savesPower = ProcessInfo.processInfo.isLowPowerModeEnabled
                let heat = ProcessInfo.processInfo.thermalState
                $0.isHot = heat == .serious || heat == .critical
            }
        }
    }
#endif
