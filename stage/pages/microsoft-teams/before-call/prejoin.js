import { el, overlay, paint } from '../../common/dom.js'
import { reportAction, reportLeaving } from '../../common/feed.js'
import { captcha } from './captcha.js'
import { device, nameInput, radio } from './form-controls.js'
import { askForDevice } from './second-device.js'
import { endScreen } from '../end-screens.js'

const TURN_FULL_MS = 1_000
/** The name of a signed-in user. Such a user is not asked for a name. */
const ACCOUNT = 'Hansard Account'

/** The screens before the call: devices, name, lobby. */
export function createPrejoin(page, connected) {
  const { texts, knobs, isLight } = page
  /** The light client asks about devices twice: before its first screen and after the join button. */
  let questions = knobs.asksPermission ? (isLight ? 2 : 1) : 0

  async function knock() {
    await connected
    void reportAction('knocked', page.name)
  }

  function askForDevices(then) {
    questions -= 1
    const scrim = overlay(el('div.scrim'))
    const dialog = overlay(
      el(
        'div',
        { role: 'dialog', 'aria-modal': 'true' },
        el('div', {}, texts.gate),
        el('h2', {}, texts.noDevices),
        el('button', { 'data-focus-target': 'gum-continue', onclick: close }, texts.goOnWithout),
      ),
    )
    function close() {
      dialog.remove()
      scrim.remove()
      then()
    }
  }

  function prejoin() {
    if (knobs.isSignedIn) page.name = ACCOUNT
    const join = el(
      'button',
      {
        id: 'prejoin-join-button',
        'data-tid': 'prejoin-join-button',
        'aria-label': texts.joinNow,
        disabled: page.name === '',
      },
      texts.joinNow,
    )
    join.addEventListener('click', () => {
      join.disabled = true
      if (knobs.accountElsewhere !== 'no') return askForDevice(page, knock)
      if (questions === 0) return knock()
      // After the dialog, the button needs a second click.
      askForDevices(() => {
        join.disabled = false
      })
    })
    paint(
      el(
        'div',
        { 'data-tid': 'prejoin-screen' },
        el('div', {}, page.title),
        knobs.isSignedIn ? el('div', {}, ACCOUNT) : nameInput(page, join),
        device(page, 'toggle-mute', texts.microphone),
        device(page, 'toggle-video', texts.camera),
        radio(texts.computerAudio, true),
        radio(texts.noAudio, false),
        join,
        cancel(),
      ),
    )
    if (questions > 0) askForDevices(() => {})
    if (isLight && knobs.turnsFull) setTimeout(turnFull, TURN_FULL_MS / knobs.speed)
  }

  function cancel() {
    const attributes = { 'data-tid': 'prejoin-cancel-button', onclick: giveUp }
    return el('button', attributes, texts.cancel)
  }
  async function giveUp() {
    await reportLeaving()
    endScreen(page, 'left')
  }

  function turnFull() {
    location.replace(location.href.replace('lightExperience=true', 'lightExperience=false'))
  }

  function wait(title, ...lines) {
    const words = [...lines, page.title].map((line) => el('div', {}, line))
    paint(el('div', { 'data-tid': 'lobby-screen' }, el('h1', {}, title), ...words, cancel()))
  }

  const screens = {
    splash: () => paint(el('div', { id: 'loading-screen' }, 'Microsoft Teams')),
    prejoin,
    lobby: () => (isLight ? wait(texts.lobbyLight) : wait(texts.lobby, texts.lobbyMore)),
    'host-absent': () => wait(knobs.isEvent ? texts.eventNotStarted : texts.hostAbsent),
    captcha: () => captcha(page, knock),
  }
  return {
    show(screen) {
      screens[screen]?.()
      return screens[screen] !== undefined
    },
  }
}
