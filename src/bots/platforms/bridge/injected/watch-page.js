import { isFrameVisible } from './page-frames.js'
import { createPartFinder } from './find-parts.js'
import { describeStructure, inspectParts } from './inspect-page.js'
import { observeNothing, observePage, summarizePage } from './observe-page.js'
import { readParticipants } from './read-participants.js'
import { watchChat } from './watch-chat.js'
import { watchCaptionRows } from './watch-caption-rows.js'

const PARTICIPANTS_INTERVAL_MS = 500
const MAX_REPORT_CHARS = 200
/** A toolbar that hid while the pointer rested is shown by then. */
const AFTER_POINTER_MOVED_MS = 100

/** Checks the page at a fixed interval. Sends an observation if something changed, otherwise `unchanged`. */
export function watchPage(send, config, hearingEvent) {
  const finder = createPartFinder(config.parts, (text) =>
    send(['error', text.slice(0, MAX_REPORT_CHARS)]),
  )
  const rows = watchCaptionRows(finder, send)
  const chat = watchChat(finder, send)
  let pollIntervalMs = config.pollIntervalMs
  let pollTimer = 0
  let last = ''
  let lastParticipants = ''
  let participantsSentAt = -PARTICIPANTS_INTERVAL_MS

  function sendParticipants() {
    if (performance.now() - participantsSentAt < PARTICIPANTS_INTERVAL_MS) return
    participantsSentAt = performance.now()
    const participants = readParticipants(finder)
    const text = JSON.stringify(participants)
    if (participants === null || text === lastParticipants) return
    lastParticipants = text
    send(['participants', participants])
  }
  function readPage() {
    const observation = isFrameVisible() ? observePage(finder, config) : observeNothing(config)
    const text = JSON.stringify(observation)
    send(text === last ? ['unchanged'] : ['observation', observation])
    last = text
    rows.resync()
    sendParticipants()
    if (config.readsChat) chat.sendNew()
  }
  function poll() {
    try {
      finder.withCache(readPage)
    } catch (error) {
      send(['error', String(error).slice(0, MAX_REPORT_CHARS)])
    }
    pollTimer = setTimeout(poll, pollIntervalMs)
  }
  function pollAfter(ms) {
    clearTimeout(pollTimer)
    pollTimer = setTimeout(poll, ms)
  }
  poll()
  document.addEventListener('mousemove', () => pollAfter(AFTER_POINTER_MOVED_MS), true)

  return {
    summarizePage,
    inspectParts: () => inspectParts(finder, config.parts),
    describeStructure: () => describeStructure(finder, config.userTextParts),
    setPollInterval(ms) {
      pollIntervalMs = ms
      pollAfter(ms)
    },
    /** Our script in the page's own world listens for this event. The page cannot guess its name. */
    setHearing(isOn) {
      document.dispatchEvent(new CustomEvent(hearingEvent, { detail: isOn }))
    },
  }
}
