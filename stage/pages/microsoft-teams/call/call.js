import { el, overlay, paint } from '../../common/dom.js'
import { createBar } from './toolbar.js'
import { createBoard } from './caption-panel.js'
import { createChat } from './chat.js'
import { createLanguage } from './caption-language.js'
import { createRoster, createTiles } from './people.js'
import { createVideos } from '../../common/videos.js'
import { createWire } from '../data-channel.js'

const TOAST_MS = 1_500

/** The call: stage, bar, panes and captions. */
export function createCall(page, leave) {
  const { texts, knobs } = page
  const stage = el('div', { 'data-tid': 'stage-layout' })
  const videos = createVideos(knobs)
  const tiles = createTiles(stage, knobs)
  const roster = createRoster(page)
  const chat = createChat(page)
  const board = createBoard(page)
  const language = createLanguage(page)
  const wire = createWire(page, board, language)
  const alone = el('div')
  let badge = null
  let people = []
  let isIn = false
  let lost = null

  document.addEventListener('keydown', ({ altKey, shiftKey, code, key }) => {
    if (!isIn || knobs.isShortcutDeaf || !knobs.hasCaptions || !altKey || !shiftKey) return
    if (code === 'KeyC' || key.toLowerCase() === 'c') board.turn(!board.isOn)
  })

  function showPeople(next) {
    people = next
    tiles.show(people)
    roster.show(people)
    wire.people(people)
    if (badge) badge.textContent = String(people.length)
    alone.textContent = people.length === 1 ? texts.waiting : ''
  }
  /** Harmless, and announced like an alarm: readers must not take it for one. */
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
      const parts = { board, language, leave, chat: chat.pane, roster: roster.pane }
      const made = createBar(page, parts)
      badge = made.badge
      board.mount(captions)
      paint(made.bar, stage, alone, captions, roster.pane, chat.pane)
      showPeople(people)
      if (knobs.notice !== 'none') setTimeout(toast, TOAST_MS / knobs.speed)
      void wire.connect()
      void videos.show(stage)
    },
    people: showPeople,
    row(row) {
      tiles.speaks(row.speaker)
      board.row(row)
    },
    rowGone: board.rowGone,
    captionsUp: board.captionsUp,
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
    },
  }
}
