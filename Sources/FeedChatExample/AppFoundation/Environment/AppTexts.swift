/// A language of the app.
package enum AppLanguage: String, Sendable, Hashable, CaseIterable {
    case english = "en"
    case arabic = "ar"

    /// Whether it is written from right to left, so that screens are mirrored.
    package var isRightToLeft: Bool { self == .arabic }
}

/// The texts of the app in one language. Each text is next to its translation, so that none can be missing.
package struct AppTexts: Sendable, Hashable {
    package let language: AppLanguage

    package init(_ language: AppLanguage = .english) {
        self.language = language
    }

    /// Returns the text in the language.
    package func pick(_ english: String, _ arabic: String) -> String { language == .english ? english : arabic }

    // Errors.
    package var youAreSignedOut: String {
        pick("You are signed out. Sign in again.", "تم تسجيل خروجك. سجّل الدخول مجددًا.")
    }
    package var youAreOffline: String {
        pick("You are offline. This is what was loaded before.", "أنت غير متصل. هذا ما حُمِّل من قبل.")
    }
    package var serverIsSlow: String { pick("The server takes too long.", "يستغرق الخادم وقتًا طويلًا.") }
    package var serverIsAway: String { pick("The server cannot be reached.", "تعذّر الوصول إلى الخادم.") }
    package var wasChangedMeanwhile: String {
        pick("Somebody has changed this meanwhile.", "غيّر أحدهم هذا في هذه الأثناء.")
    }
    package var textIsRefused: String { pick("The server does not take this text.", "لا يقبل الخادم هذا النص.") }
    package var profileNotRead: String { pick("The profile could not be read.", "تعذّرت قراءة الملف الشخصي.") }
    package var tooManyScreens: String { pick("Too many screens are open.", "عدد الشاشات المفتوحة كبير جدًا.") }
    package var notOpened: String { pick("This could not be opened.", "تعذّر فتح هذا.") }
    package var notPossibleHere: String { pick("This cannot be done here.", "لا يمكن فعل ذلك هنا.") }
    package var screenIsClosed: String { pick("This screen is closed.", "هذه الشاشة مغلقة.") }
    package var nothingToSend: String { pick("There is nothing to send.", "لا يوجد ما يُرسَل.") }
    package var timeHasPassed: String { pick("This time has passed.", "لقد مضى هذا الوقت.") }
    package var postNotSent: String { pick("Your post was not sent. Try again?", "لم يُرسَل منشورك. أتحاول مجددًا؟") }
    package var commentNotSent: String {
        pick("Your comment was not sent. Try again?", "لم يُرسَل تعليقك. أتحاول مجددًا؟")
    }
    package var wasSignedOut: [String] {
        [
            pick("You were signed out. What you did is kept until you", "تم تسجيل خروجك. ما فعلته محفوظ حتى"),
            pick("sign in again.", "تسجّل الدخول مجددًا."),
        ]
    }
    package func notSent(_ text: String) -> String { pick("Not sent: \(text)", "لم يُرسَل: \(text)") }

    // Actions.
    package var retry: String { pick("retry", "إعادة المحاولة") }
    package var signIn: String { pick("sign in", "تسجيل الدخول") }
    package var show: String { pick("show", "عرض") }
    package var resend: String { pick("resend", "إعادة الإرسال") }
    package var discard: String { pick("discard", "تجاهل") }

    // Names and texts of screens.
    package var feed: String { pick("Feed", "الأخبار") }
    package var offline: String { pick("offline", "غير متصل") }
    package var post: String { pick("Post", "منشور") }
    package var profile: String { pick("Profile", "الملف الشخصي") }
    package func posts(of name: String) -> String { pick("Posts of \(name)", "منشورات \(name)") }
    package func search(_ text: String) -> String { pick("Search: \(text)", "بحث: \(text)") }
    package var amongSeen: String { pick("Among the posts that you have seen:", "من بين المنشورات التي رأيتها:") }
    package var nothingFound: String { pick("Nothing was found.", "لم يُعثر على شيء.") }
    package var isGone: String { pick("This post is not there any more.", "لم يعد هذا المنشور موجودًا.") }
    package var thatIsAll: String { pick("that is all", "هذا كل شيء") }
    package var isSending: String { pick("sending", "جارٍ الإرسال") }
    package var isBookmarked: String { pick("bookmarked", "محفوظ") }
    package func sending(_ percent: Int) -> String { pick("Sending, \(percent) %", "جارٍ الإرسال، \(percent) %") }

    // Numbers: in Arabic the noun comes first, so that it needs no form for each number.
    package func newPosts(_ count: Int) -> String {
        pick("\(count) new post\(count == 1 ? "" : "s")", "منشورات جديدة: \(count)")
    }
    package func comments(_ count: Int) -> String { pick("\(count) comments", "تعليقات: \(count)") }
    package func replies(_ count: Int) -> String { pick("\(count) replies", "ردود: \(count)") }
    package func shared(_ count: Int) -> String { pick("\(count) shared", "مشاركات: \(count)") }
    package func files(_ count: Int) -> String { pick("\(count) files", "ملفات: \(count)") }
}
