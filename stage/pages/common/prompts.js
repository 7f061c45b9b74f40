import { el, overlay } from './dom.js'
import { sendReport } from './feed.js'

/** An empty call ends after this time without an answer. */
const EMPTY_CALL_MS = 120_000

/**
 * The prompts that the stage can show over the lobby or the call: the name of the title in `texts.js`, and each answer
 * with the name of its text. The last answer is the one that continues. A prompt that is not modal is a bubble over
 * the captions button.
 */
const PROMPTS = {
  recorded: { title: 'recordedNotice', answers: { leave: 'leaveNow', join: 'joinNow' } },
  notes: { title: 'notesNotice', answers: { leave: 'leaveNow', join: 'joinNow' } },
  shared: { title: 'sharedNotice', answers: { leave: 'leaveNow', join: 'joinNow' } },
  consent: { title: 'consent', answers: { decline: 'decline', accept: 'accept' } },
  'still-there': { title: 'stillThere', answers: { leave: 'leaveNow', stay: 'stay' } },
  'devices-off': { title: 'devicesOff', answers: { dismiss: 'gotIt' } },
  breakout: { title: 'breakout', answers: { later: 'breakoutLater', join: 'breakoutJoin' } },
  tip: { title: 'captionsTip', answers: { dismiss: 'gotIt' }, isBubble: true },
}

/** The screen that follows an answer. Every other answer only closes the prompt. */
const SCREEN_AFTER = { leave: 'left', decline: 'removed' }

/** Shows a prompt. `show` shows a screen, `marks` returns attributes of an answer button, `isDeaf` ignores answers. */
export function showPrompt({ texts, knobs }, { prompt, isDeaf }, show, marks = () => ({})) {
  const { title, answers, isBubble = false } = PROMPTS[prompt]
  let timer = 0
  const box = overlay(
    el(
      isBubble ? 'div.bubble' : 'div',
      { role: 'dialog', 'aria-modal': isBubble ? null : 'true' },
      el('h2', {}, texts[title]),
      ...Object.entries(answers).map(([answer, words]) =>
        // Each button has its own parent, as in the platforms' dialogs.
        el(
          'div',
          {},
          el('button', { ...marks(prompt, answer), onclick: () => close(answer) }, texts[words]),
        ),
      ),
    ),
  )
  function close(answer) {
    void sendReport({ kind: 'answer', prompt, answer })
    if (isDeaf) return
    clearTimeout(timer)
    box.remove()
    const screen = SCREEN_AFTER[answer]
    if (screen !== undefined) show(screen)
    if (prompt === 'breakout' && answer === 'join') enterBreakoutRoom()
  }
  if (prompt === 'still-there')
    timer = setTimeout(() => show('emptied'), EMPTY_CALL_MS / knobs.speed)
}

/** A breakout room has its own address, but stays in the same page. */
function enterBreakoutRoom() {
  history.pushState(null, '', `${location.pathname}?room=breakout-1${location.hash}`)
}
