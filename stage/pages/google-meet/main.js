import { openFeed, reportLeaving } from '../common/feed.js'
import { createCall } from './call/call.js'
import { createPrejoin } from './before-call/prejoin.js'
import { endScreen } from './end-screens.js'
import { textsOf } from './texts.js'
import { showPrompt } from '../common/prompts.js'

const LOCALES = ['en', 'de', 'fr', 'it', 'hu', 'ja']

/** Events that arrive before the page is ready are handled afterwards. */
let ready
const stage = new Promise((resolve) => {
  ready = resolve
})
const after = (act) => async (event) => act(await stage, event)

const welcome = await openFeed({
  screen: after(({ show }, { screen }) => show(screen)),
  prompt: after(({ prompt }, event) => prompt(event)),
  people: after(({ call }, { people }) => call.people(people)),
  row: after(({ call }, row) => call.row(row)),
  'row gone': after(({ call }, { rowId }) => call.rowGone(rowId)),
  captions: after(({ call }, { areAvailable }) => call.setCaptionsAvailable(areAvailable)),
  sound: after(({ call }, sound) => call.sounds.play(sound)),
  tracks: after(({ call }, { areLost }) => (areLost ? call.sounds.close() : call.sounds.connect())),
  connection: after(({ call }, { isLost }) => call.connection(isLost)),
  chat: after(({ call }, message) => call.chat(message)),
  bytes: after(({ call }, bytes) => call.bytes(bytes)),
})

const { knobs, room, title, deviceId } = welcome
const asked = new URLSearchParams(location.search).get('hl')?.slice(0, 2)
const locale = knobs.obeysAddressLocale && LOCALES.includes(asked) ? asked : knobs.locale
document.documentElement.lang = locale
document.title = `Meet - ${title}`

const page = {
  knobs,
  room,
  title,
  deviceId,
  texts: { ...textsOf(locale), ...knobs.words },
  name: '',
}
const call = createCall(page, leave)
const prejoin = createPrejoin(page, call)
// The platform's audio tracks already exist in the lobby, before a participant can be heard.
void call.sounds.connect()

function show(screen) {
  if (screen === 'call') call.enter()
  else {
    call.close()
    if (!prejoin.show(screen)) endScreen(page, screen)
  }
}

async function leave() {
  call.close()
  await reportLeaving()
  endScreen(page, 'left')
}

/** Shows a prompt. An answer that leaves the call is handled like the leave button. */
function prompt(event) {
  showPrompt(page, event, (screen) => (screen === 'left' ? leave() : show(screen)))
}

ready({ show, call, prompt })
