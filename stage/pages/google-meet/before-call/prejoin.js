import { el, paint } from '../../common/dom.js'
import { reportAction, sendReport } from '../../common/feed.js'
import { icon, togglesOf } from '../call/toolbar.js'
import { askConsent, askPermission } from './dialogs.js'

/** The screens before the call: name, permission dialog, notice, lobby. */
export function createPrejoin(page, { bar, sounds }) {
  const { texts, knobs } = page

  function knock() {
    void reportAction('knocked', page.name)
  }

  /** The user's own video, which looks like a participant tile. It does not prove that the page is in the call. */
  function preview() {
    const effects = el('button', { 'aria-label': texts.effects }, icon('visual_effects'))
    // Icons and other words that must not be translated are not a participant's name.
    effects.append(el('i.google-symbols.notranslate', {}, 'more_vert'))
    return el('div.tile', { 'data-participant-id': 'spaces/stage/devices/preview' }, effects)
  }

  function prejoin() {
    const words = joinWords()
    const join = el(
      'button',
      { jsname: 'Qx7uuf', disabled: !knobs.isSignedIn },
      el('span', { jsname: 'V67aGc' }, words),
    )
    join.addEventListener('click', () => {
      join.disabled = true
      if (knobs.accountElsewhere !== 'no')
        void sendReport({ kind: 'answer', prompt: 'second-device', answer: 'move' })
      if (knobs.notice === 'none') knock()
      else askConsent(page, knock)
    })
    const who = knobs.isSignedIn ? el('div.awLEm', {}, 'Hansard Account') : nameInput(join)
    if (knobs.isSignedIn) page.name = 'Hansard Account'
    // Every page has such a frame. It is a captcha only if it is visible.
    const frame = el('iframe.unseen', {
      src: 'https://www.google.com/recaptcha/api2/aframe',
      title: '',
    })
    const ghosts = knobs.hasGhosts ? [el('div', { hidden: true }, nameInput(join))] : []
    const companion = knobs.offersCompanionMode ? [companionMode()] : []
    const parts = [preview(), ...togglesOf(page), ...ghosts, who, ...companion, join, otherWays()]
    paint(...audio(), frame, el('div', {}, title(), ...parts))
    if (knobs.asksPermission) askPermission(page)
  }

  function title() {
    return el('div', {}, page.title)
  }

  function audio() {
    const elements = knobs.hasAudioElements ? [1, 2, 3].map(() => el('audio')) : []
    sounds.playIn(elements)
    return elements
  }

  function joinWords() {
    if (knobs.accountElsewhere !== 'no') return texts.switchHere
    return knobs.isSignedIn ? texts.joinNow : texts.askToJoin
  }

  /** The menu with a second device, for an account that is already in the call. */
  function otherWays() {
    const button = el('button', { 'aria-expanded': 'false' }, el('span', {}, texts.otherWays))
    button.addEventListener('click', () => {
      button.setAttribute('aria-expanded', 'true')
      if (knobs.accountElsewhere !== 'yes') return
      button.after(el('button', { onclick: knock }, el('span', {}, texts.joinHereToo)))
    })
    return button
  }

  /** Joins without the buttons of the call, so a bot must not use it. */
  function companionMode() {
    const open = () => paint(el('h1', {}, texts.companion))
    return el('button', { onclick: open }, el('span', {}, texts.companion))
  }

  function nameInput(join) {
    const input = el('input', {
      type: 'text',
      jsname: 'YPqjbf',
      'aria-label': texts.yourName,
      placeholder: texts.yourName,
      maxlength: '60',
      autocomplete: 'off',
    })
    input.addEventListener('input', () => {
      page.name = input.value.trim()
      join.disabled = page.name === ''
    })
    return input
  }

  function wait(...lines) {
    const home = el('button', { onclick: () => location.assign('/') }, el('span', {}, texts.home))
    paint(
      ...audio(),
      el('div', {}, title(), preview(), ...lines.map((line) => el('div', {}, line)), home),
      bar,
    )
  }

  const screens = {
    splash: () => paint(el('div', { id: 'loading' })),
    prejoin,
    lobby: () => wait(texts.asking, texts.askingMore),
    'host-absent': () => wait(texts.hostAbsent, texts.hostAbsentMore),
  }

  return {
    show(screen) {
      screens[screen]?.()
      return screens[screen] !== undefined
    },
  }
}
