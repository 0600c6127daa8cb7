/** Emoji that are offered, each with words by which it is found. */
const source = `😀 smile happy face|😎 cool sunglasses|🤔 think question|👋 wave hello welcome|👍 thumbs up like|👏 clap|🙏 thanks please|💪 strong muscle
👀 eyes look|🧑‍💻 developer person computer|👥 people users team|🤝 handshake partner|❤️ heart love|🔥 fire hot|✨ sparkles new|⭐ star favorite
🌟 star glow|🎉 party celebrate release|🎁 gift|🏆 trophy win|🥇 medal first|🎯 target goal|🚀 rocket launch start|✈️ plane travel
🚗 car|🚢 ship deploy|⛵ boat|🏠 house home|🏢 building office company|🏗️ construction build|🌍 world globe earth|🗺️ map
🧭 compass guide|📍 pin location|☀️ sun|🌙 moon night|☁️ cloud|⚡ lightning fast bolt|❄️ snow cold|🌈 rainbow
🌱 seedling grow start|🌳 tree|🍀 clover luck|🌸 flower|🐛 bug error|🐞 ladybug bug|🐳 whale docker|🐍 snake python
🦀 crab rust|🐘 elephant database|🦊 fox|🐧 penguin linux|☕ coffee java|🍕 pizza|📘 book blue|📗 book green
📕 book red|📙 book orange|📚 books library|📖 open book read|📓 notebook|📝 memo write note|📄 page document|📋 clipboard list
📌 pushpin pin|📎 paperclip attach|🔖 bookmark|🏷️ tag label|✏️ pencil edit|🖊️ pen write|📁 folder|📂 open folder
🗂️ dividers index|🗃️ box files|🗄️ cabinet archive storage|📦 package box|📥 inbox|📤 outbox|✉️ mail envelope|📧 email
💬 message chat comment|🗨️ speech|📣 megaphone announce|🔔 bell notification|📅 calendar date|⏰ alarm clock time|⏱️ stopwatch time|⌛ hourglass wait
🔍 search magnifier find|🔎 search zoom|🔑 key access|🔐 lock key secure|🔒 lock closed security|🔓 unlock open|🛡️ shield security|🚨 alarm alert
⚠️ warning caution|❗ exclamation important|❓ question help|ℹ️ information info|✅ check done|❌ cross no wrong|⛔ stop forbidden|🚫 prohibited
♻️ recycle|🔄 refresh sync update|🔁 repeat|➕ plus add|➖ minus|🔢 numbers|🆕 new|🆓 free
🔗 link chain|🧩 puzzle plugin integration|🔌 plug connect integration|🔧 wrench tool|🔨 hammer build|🛠️ tools settings|⚙️ gear settings|🧰 toolbox
🧪 test tube experiment|🔬 microscope science|🔭 telescope|📡 satellite network|🖥️ desktop computer|💻 laptop computer|⌨️ keyboard|🖱️ mouse
📱 phone mobile|🖨️ printer|💾 disk save|💿 disc|📷 camera photo|🎥 video camera|🎧 headphones support|🎙️ microphone podcast
🖼️ picture image|🎨 palette design art|📊 chart bar statistics|📈 chart up growth|📉 chart down|💡 idea light bulb|🧠 brain intelligence|🤖 robot bot ai
🪄 magic wand|💰 money bag|💳 credit card payment|🧾 receipt invoice|🛒 cart shop|🏦 bank|⚖️ scales law legal|🎓 graduation learn tutorial
🏫 school|🏥 hospital health|💊 pill|🍎 apple|🎮 game|🎲 dice random|🧵 thread|🏁 flag finish`

/** All offered emoji with their words. */
const emoji = source.split(/[|\n]/).map((entry) => {
  const [character = '', ...words] = entry.split(' ')
  return { character, words }
})

/** Returns emoji that match a text: an emoji itself, or the start of a word that describes it. */
export function findEmoji(text: string, max: number): string[] {
  const wanted = text.trim().toLowerCase()
  if (/^\p{Extended_Pictographic}/u.test(wanted)) return [text.trim()]
  const found = wanted === '' ? emoji : emoji.filter(({ words }) => words.some((word) => word.startsWith(wanted)))
  return found.slice(0, max).map(({ character }) => character)
}
