package import AppFoundation

/// The texts of the chat.
extension AppTexts {
    // Conversations.
    package var conversationNotRead: String {
        pick("The conversation could not be read", "تعذّرت قراءة المحادثة")
    }
    package var messageIsNotHere: String {
        pick("The message is not on this device", "الرسالة غير موجودة على هذا الجهاز")
    }
    package var changeWasRefused: String {
        pick("The change was refused, and the message is as it was", "رُفض التغيير، وبقيت الرسالة كما كانت")
    }
    package var messageNotKept: String { pick("The message could not be kept", "تعذّر حفظ الرسالة") }
    package var messageTooLong: String { pick("The message is too long", "الرسالة طويلة جدًا") }
    package var messageNotEdited: String { pick("The message could not be edited", "تعذّر تعديل الرسالة") }
    package var messageNotDeleted: String { pick("The message could not be deleted", "تعذّر حذف الرسالة") }
    package var messagesNotDeleted: String { pick("The messages could not be deleted", "تعذّر حذف الرسائل") }
    package var draftNotKept: String { pick("The draft could not be kept", "تعذّر حفظ المسودة") }
    package var receiptsNotKept: String { pick("The receipts could not be kept", "تعذّر حفظ إشعارات القراءة") }
    package var noSpaceForMedia: String {
        pick(
            "There is no space to keep a photo or a video until it is sent",
            "لا مساحة لحفظ صورة أو فيديو حتى يُرسَل")
    }
    package func fileTooLarge(_ megabytes: Int) -> String {
        pick("A file of more than \(megabytes) MB cannot be sent", "لا يمكن إرسال ملف أكبر من \(megabytes) ميغابايت")
    }
    package var fileNotRead: String {
        pick("The file is no image or video that can be sent", "الملف ليس صورة أو فيديو يمكن إرساله")
    }
    package var isTyping: String { pick("typing…", "يكتب…") }
    package func isTyping(_ name: String) -> String { pick("\(name) is typing…", "\(name) يكتب…") }
    package func areTyping(_ count: Int) -> String { pick("\(count) are typing…", "يكتب الآن: \(count)") }
    package func areThere(_ count: Int) -> String { pick("\(count) online", "متصلون: \(count)") }
    package var notReadYet: String { pick("Not read yet", "لم تُقرأ بعد") }

    // The list of chats, and the search.
    package var chatsNotRead: String { pick("The chats could not be read", "تعذّرت قراءة المحادثات") }
    package var contactsNotRenewed: String {
        pick("The contacts could not be renewed", "تعذّر تحديث جهات الاتصال")
    }
    package var conversationNotDeleted: String {
        pick("The conversation could not be deleted", "تعذّر حذف المحادثة")
    }
    package var pushNotOn: String { pick("Notifications could not be turned on", "تعذّر تشغيل الإشعارات") }
    package var messagesNotSearched: String {
        pick("The messages could not be searched", "تعذّر البحث في الرسائل")
    }

    // Groups.
    package var groupForbids: String { pick("The group does not allow it", "المجموعة لا تسمح بذلك") }
    package var groupNotChanged: String { pick("The group could not be changed", "تعذّر تغيير المجموعة") }
    package var groupNotRead: String { pick("The group could not be read", "تعذّرت قراءة المجموعة") }
    package var groupNotMade: String { pick("The group could not be made.", "تعذّر إنشاء المجموعة.") }
    package var groupIsIncomplete: String {
        pick("A group needs a name and somebody in it.", "تحتاج المجموعة إلى اسم وإلى عضو واحد على الأقل.")
    }

    // Space.
    func spaceLeft(_ megabytes: Int64?) -> String {
        guard let megabytes else { return pick("Space is low", "المساحة قليلة") }
        return pick("Only \(megabytes) MB are left", "لم يبقَ سوى \(megabytes) ميغابايت")
    }
    func largestChat(_ name: String) -> String {
        pick("; the chat with \(name) is the largest", "؛ أكبر محادثة هي مع \(name)")
    }
    var mediaNotSent: String { pick(". Photos and videos cannot be sent", ". لا يمكن إرسال الصور والفيديو") }
}
