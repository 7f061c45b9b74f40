import { pageId, openFeed, reportLeaving } from '../common/feed.js'
import { createCall } from './call/call.js'
import { createPrejoin } from './before-call/prejoin.js'
import { endScreen } from './end-screens.js'
import { textsOf } from './texts.js'
import { showPrompt } from '../common/prompts.js'

/** Events that arrive before the page is ready are handled afterwards. */
let ready
const stage = new Promise((resolve) => {
  ready = resolve
})
const after = (act) => async (event) => act(await stage, event)

const { knobs, room, title, callId } = await openFeed({
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

document.documentElement.lang = knobs.locale
document.title = `${title} | Microsoft Teams`
const isLight =
  location.pathname.startsWith('/light-meetings') &&
  !location.search.includes('lightExperience=false')

const page = {
  knobs,
  room,
  title,
  callId,
  isLight,
  texts: { ...textsOf(knobs.locale), ...knobs.words },
  name: '',
}
// Opened before the call, because the platform also announces a refusal on it.
const socket = new WebSocket(`wss://go.trouter.teams.microsoft.com/v4/c?page=${pageId()}`)
const connected = new Promise((resolve) => {
  socket.addEventListener('open', resolve, { once: true })
})
const call = createCall(page, leave)
const prejoin = createPrejoin(page, connected)

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

/** The buttons of these prompts have ids that are the same in every language. */
const MARKED_PROMPTS = new Set(['consent', 'breakout'])

/** Shows a prompt. An answer that leaves the call is handled like the leave button. */
function prompt(event) {
  const marks = (name, answer) =>
    MARKED_PROMPTS.has(name) ? { 'data-tid': `${name}-${answer}` } : {}
  showPrompt(page, event, (screen) => (screen === 'left' ? leave() : show(screen)), marks)
}

ready({ show, call, prompt })
