// What the page itself says, in the app's two languages: each text beside its translation, so that none is without one.

const texts = {
    app: ["Paginator", "Paginator"],
    skip: ["Skip to the content", "انتقل إلى المحتوى"],
    navigation: ["Main", "الرئيسية"],
    feed: ["Feed", "الأخبار"], search: ["Search", "بحث"], chats: ["Chats", "المحادثات"], profile: ["Profile", "الملف الشخصي"], settings: ["Settings", "الإعدادات"],
    compose: ["New post", "منشور جديد"], post: ["Post", "منشور"], scheduled: ["Scheduled", "مجدولة"], conversation: ["Conversation", "محادثة"],
    chatSearch: ["Search messages", "بحث في الرسائل"], group: ["Group", "مجموعة"], newGroup: ["New group", "مجموعة جديدة"],
    open: ["Open", "افتح"], back: ["Back", "رجوع"], close: ["Close", "إغلاق"], refresh: ["Refresh", "تحديث"], retry: ["Try again", "أعد المحاولة"], discard: ["Discard", "تجاهل"], cancel: ["Cancel", "إلغاء"],
    save: ["Save", "حفظ"], send: ["Send", "إرسال"], publish: ["Post", "نشر"], more: ["More", "المزيد"], delete: ["Delete", "حذف"], edit: ["Edit", "تعديل"],
    pull: ["Pull to refresh", "اسحب للتحديث"], release: ["Release to refresh", "أفلت للتحديث"], refreshing: ["Refreshing", "جارٍ التحديث"],
    like: ["Like", "إعجاب"], likes: [(n) => `${n} likes`, (n) => `الإعجابات: ${n}`], comments: [(n) => `${n} comments`, (n) => `التعليقات: ${n}`], shares: [(n) => `${n} shares`, (n) => `المشاركات: ${n}`],
    share: ["Share", "مشاركة"], bookmark: ["Bookmark", "حفظ"], commentOn: ["Comments", "التعليقات"],
    newPosts: [(n) => `${n} new post${n === "1" ? "" : "s"}`, (n) => `منشورات جديدة: ${n}`],
    newMessages: [(n) => `${n} new message${n === "1" ? "" : "s"}`, (n) => `رسائل جديدة: ${n}`],
    toEnd: ["To the newest", "إلى الأحدث"],
    offline: ["You are offline. What is here was loaded before; what you do is sent later.", "أنت غير متصل. ما تراه حُمِّل من قبل، وما تفعله يُرسَل لاحقًا."],
    signedOut: ["You are signed out. What you do waits until you sign in again.", "تم تسجيل خروجك. ما تفعله ينتظر حتى تسجّل الدخول."],
    lost: ["The app does not answer. Connecting again…", "التطبيق لا يستجيب. جارٍ الاتصال…"],
    found: ["Connected again", "عاد الاتصال"],
    notDone: ["That was not done: the app does not answer.", "لم يتم ذلك: التطبيق لا يستجيب."],
    notKnown: ["The connection ended before the app answered. Look whether it was done.", "انقطع الاتصال قبل أن يجيب التطبيق. تحقّق مما إذا تم."],
    loading: ["Loading", "جارٍ التحميل"], sending: ["Sending", "جارٍ الإرسال"], sent: ["Sent", "أُرسلت"], delivered: ["Delivered", "وصلت"], read: ["Read", "قُرئت"], failed: ["Not sent", "لم تُرسَل"],
    edited: ["edited", "معدّلة"], deleted: ["This message was deleted.", "حُذفت هذه الرسالة."], you: ["You", "أنت"], online: ["online", "متصل"],
    typing: ["typing…", "يكتب…"], unread: [(n) => `${n} unread`, (n) => `غير مقروءة: ${n}`], draft: ["Draft:", "مسودة:"], mentioned: ["You are mentioned", "أُشير إليك"],
    writeMessage: ["Write a message", "اكتب رسالة"], writeComment: ["Write a comment", "اكتب تعليقًا"], writePost: ["What is new?", "ما الجديد؟"], cannotWrite: ["You cannot write here.", "لا يمكنك الكتابة هنا."],
    replyTo: [(name) => `Reply to ${name}`, (name) => `ردّ على ${name}`], reply: ["Reply", "ردّ"], replies: [(n) => `${n} replies`, (n) => `الردود: ${n}`], hideReplies: ["Hide replies", "أخفِ الردود"], moreReplies: ["More replies", "ردود أخرى"],
    attachMore: ["Send a picture or a place", "أرسل صورة أو مكانًا"], sea: ["The sea", "البحر"], hills: ["Hills", "تلال"], city: ["A city", "مدينة"], garden: ["A garden", "حديقة"], harbour: ["The harbour", "الميناء"],
    editing: ["Editing a message", "تعديل رسالة"], edits: ["Earlier texts", "النصوص السابقة"], attach: ["Add a picture", "أضف صورة"], detach: [(name) => `Remove ${name}`, (name) => `أزل ${name}`], place: ["Send a place", "أرسل مكانًا"],
    publishAt: ["Publish at", "النشر في"], now: ["Now", "الآن"], willPublish: [(time) => `Will be published ${time}`, (time) => `سيُنشر ${time}`], unschedule: ["Do not publish", "لا تنشر"],
    searchPosts: ["Search posts", "ابحث في المنشورات"], searchChats: ["Search messages", "ابحث في الرسائل"], searchHint: ["Write a word to find posts.", "اكتب كلمة للعثور على منشورات."], searchChatHint: ["Write a word to find messages.", "اكتب كلمة للعثور على رسائل."], clear: ["Clear", "مسح"],
    results: [(n) => `${n} results`, (n) => `النتائج: ${n}`],
    about: ["About", "نبذة"], postText: ["Text of the post", "نص المنشور"], deletePost: ["Delete the post", "احذف المنشور"], sureToDelete: ["This post will be gone for everybody. Its comments go with it.", "سيُحذف هذا المنشور لدى الجميع ومعه تعليقاته."], editPost: ["Edit the post", "عدّل المنشور"], editProfile: ["Edit profile", "عدّل الملف الشخصي"], posts: [(n) => `${n} posts`, (n) => `المنشورات: ${n}`], conflict: ["This was changed elsewhere, too:", "تغيّر هذا في مكان آخر أيضًا:"], keepMine: ["Keep mine", "احتفظ بنصّي"], takeTheirs: ["Take that", "خذ ذاك"],
    contacts: ["Begin a chat", "ابدأ محادثة"], deleteConversation: ["Delete this conversation", "احذف هذه المحادثة"], freeSpace: ["Delete messages older than 30 days", "احذف الرسائل الأقدم من 30 يومًا"],
    groupName: ["Name of the group", "اسم المجموعة"], members: ["Members", "الأعضاء"], add: ["Add", "إضافة"], remove: ["Remove", "إزالة"], role: ["Role", "الدور"], leave: ["Leave the group", "غادر المجموعة"], create: ["Create", "إنشاء"], rename: ["Rename", "إعادة التسمية"],
    network: ["Network", "الشبكة"], networkHint: ["Make it bad, and watch what the library does.", "اجعلها سيئة، وراقب ما تفعله المكتبة."], latency: ["Latency", "التأخير"], loss: ["Lost requests", "طلبات مفقودة"], offlineSwitch: ["Offline", "غير متصل"], unavailable: ["Server answers 503", "الخادم يجيب 503"],
    backend: ["Backend", "الخادم"], up: ["running", "يعمل"], down: ["killed", "متوقف"], kill: ["Kill", "أوقف"], start: ["Start", "شغّل"], none: ["none", "بلا"], good: ["good", "جيدة"],
    appearance: ["Appearance", "المظهر"], theme: ["Theme", "السمة"], system: ["As the system", "كالنظام"], light: ["Light", "فاتح"], dark: ["Dark", "داكن"], language: ["Language", "اللغة"], storage: ["Storage", "التخزين"], stored: [(size) => `Posts, pictures and messages take ${size}.`, (size) => `المنشورات والصور والرسائل: ${size}.`], clearStorage: ["Clear what is stored", "امسح المخزَّن"], flags: ["Features", "الميزات"], lowPower: ["Low power", "طاقة منخفضة"], killApp: ["End this app's process", "أنهِ عملية هذا التطبيق"], killHint: ["It is started again, and goes on with what is on the disk.", "تُشغَّل من جديد وتتابع بما هو على القرص."], signIn: ["Sign in", "تسجيل الدخول"], signOut: ["Sign out", "تسجيل الخروج"], inspector: ["Open the inspector", "افتح المفتّش"],
    keyboard: ["Keyboard", "لوحة المفاتيح"], nothing: ["Nothing is here yet.", "لا يوجد شيء هنا بعد."], gone: ["This post is not there any more.", "لم يعد هذا المنشور موجودًا."],
    nextRow: ["Next row, row before", "الصف التالي، السابق"], openRow: ["Open the row", "افتح الصف"], likeRow: ["Like the row", "أعجبني"], goBack: ["Back; leave a field", "رجوع، مغادرة الحقل"], showNew: ["Show new posts", "اعرض الجديد"], toSearch: ["Search", "بحث"], toField: ["To the text field", "إلى حقل النص"], screens: ["Feed, search, chats, profile, settings", "الأخبار، البحث، المحادثات، الملف، الإعدادات"], thisList: ["This list", "هذه القائمة"], outOfList: ["To what is above the list, below it", "إلى ما فوق القائمة، ما تحتها"], firstLast: ["First row, last row", "الصف الأول، الأخير"],
    person: [(name) => `Profile of ${name}`, (name) => `ملف ${name}`], picture: ["Picture", "صورة"], unnamed: ["Somebody", "شخص ما"], gap: ["Load what is missing", "حمّل الناقص"], on: ["on", "مفعّل"], off: ["off", "معطّل"],
    menuEdit: ["Edit", "تعديل"], menuDeleteForAll: ["Delete for all", "احذف للجميع"], menuDeleteForMe: ["Delete for me", "احذف لي"], menuResend: ["Send again", "أعد الإرسال"], menuDeleteFailed: ["Discard", "تجاهل"], menuEdits: ["Earlier texts", "النصوص السابقة"],
};

let column = 0, overrides = {};

export function setTexts(language, given = {}) {
    column = language === "ar" ? 1 : 0;
    overrides = given ?? {};
}

/** A text of the page; `value` where the text speaks of one. */
export function t(key, value) {
    const given = overrides[key];
    if (typeof given === "string") return given;
    const text = texts[key][column];
    return typeof text === "function" ? text(value) : text;
}
