import { el, overlay, paint } from '../../common/dom.js'
import { createToolbar } from './toolbar.js'
import { createCaptionPanel } from './caption-panel.js'
import { createChat } from './chat.js'
import { createLanguage } from './caption-language.js'
import { createRoster, createTiles } from './people.js'
import { showPrompt } from '../../common/prompts.js'
import { createSounds } from '../../common/sound/sounds.js'
import { createVideos } from '../../common/videos.js'
import { createDataChannels } from '../data-channel.js'

const TOAST_MS = 1_500

/** The call screen: videos, toolbar, panes and captions. */
export function createCall(page, leave) {
  const { texts, knobs } = page
  const stage = el('div', { 'data-tid': 'stage-layout' })
  const videos = createVideos(knobs)
  const sounds = createSounds(knobs, { trackCount: 1, isMixed: true })
  const tiles = createTiles(stage, knobs)
  const roster = createRoster(page)
  const chat = createChat(page, () => people.find(({ isSelf }) => isSelf))
  const captionPanel = createCaptionPanel(page)
  const language = createLanguage(page)
  const wire = createDataChannels(page, captionPanel, language)
  const alone = el('div')
  let badge = null
  let people = []
  let isIn = false
  let lost = null

  document.addEventListener('keydown', ({ altKey, shiftKey, code, key }) => {
    if (!isIn || knobs.isShortcutDeaf || !knobs.hasCaptions || !altKey || !shiftKey) return
    if (code === 'KeyC' || key.toLowerCase() === 'c') captionPanel.turn(!captionPanel.isOn)
  })

  function showPeople(next) {
    people = next
    tiles.show(people)
    roster.show(people)
    wire.people(people)
    if (badge) badge.textContent = String(people.length)
    alone.textContent = people.length === 1 ? texts.waiting : ''
  }
  /** A harmless notice with `role=alert`. A bot must not mistake it for an error. */
  function toast() {
    if (!isIn) return
    const box = overlay(el('div', { role: 'alert' }, texts[knobs.notice]))
    box.append(el('button', { onclick: () => box.remove() }, texts.dismiss))
  }

  return {
    enter() {
      if (isIn) return
      isIn = true
      const captions = el('div')
      const parts = { captionPanel, language, leave, chat: chat.pane, roster: roster.pane }
      const made = createToolbar(page, parts)
      badge = made.badge
      captionPanel.mount(captions)
      const audience = knobs.isEvent ? [el('div', { 'data-tid': 'townhall-attendee-view' })] : []
      paint(made.bar, ...audience, stage, alone, captions, roster.pane, chat.pane)
      showPeople(people)
      if (knobs.notice !== 'none') setTimeout(toast, TOAST_MS / knobs.speed)
      if (knobs.hasCaptionsTip) showPrompt(page, { prompt: 'tip', isDeaf: false }, () => {})
      void wire.connect()
      void videos.show(stage)
      sounds.playIn(knobs.hasAudioElements ? [new Audio()] : [])
      void sounds.connect()
    },
    sounds,
    people: showPeople,
    row(row) {
      tiles.speaks(row.speaker)
      captionPanel.row(row)
    },
    rowGone: captionPanel.rowGone,
    setCaptionsAvailable: captionPanel.setCaptionsAvailable,
    chat: chat.add,
    bytes: wire.deliver,
    connection(isLost) {
      lost?.remove()
      lost = isLost ? overlay(el('div', {}, texts.reconnecting)) : null
    },
    close() {
      isIn = false
      wire.close()
      videos.close()
      sounds.close()
    },
  }
}
