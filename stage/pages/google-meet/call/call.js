import { el, overlay, paint } from '../../common/dom.js'
import { hideWhenIdle } from '../../common/hide-when-idle.js'
import { createToolbar } from './toolbar.js'
import { createCaptionPanel } from './caption-panel.js'
import { createCaptionsButton } from './captions-button.js'
import { createChatPanel } from './chat.js'
import { moreButton } from './menus.js'
import { createPanels } from './side-panels.js'
import { createPeoplePanel, createTiles } from './people.js'
import { showPrompt } from '../../common/prompts.js'
import { createSounds } from '../../common/sound/sounds.js'
import { createVideos } from '../../common/videos.js'
import { createDataChannels } from '../wire/data-channels.js'

/** The call screen: toolbar, tiles, panels and captions. */
export function createCall(page, leave) {
  const { texts, knobs } = page
  const { bar, extra } = createToolbar(page, leave)
  const main = el('main')
  const videos = createVideos(knobs)
  const sounds = createSounds(knobs, { trackCount: knobs.audioTracks, isMixed: false })
  const tiles = createTiles(main, knobs)
  const peoplePanel = createPeoplePanel(page)
  const chatPanel = createChatPanel(page)
  const captionPanel = createCaptionPanel(page)
  const wire = createDataChannels(page)
  const captionsButton = createCaptionsButton(page, captionPanel, wire.openCaptions)
  const { side, button } = createPanels(page)
  const peopleButton = button('1', '', 'people', peoplePanel.panel)
  const chatButton = button('2', texts.chat, 'chat', chatPanel.panel)
  const spoken = el('div', { 'aria-live': 'polite' })
  const alone = el('div')
  const count = el('div.egzc7c')
  let people = []
  let isIn = false
  let lost = null

  function announce(next) {
    const before = new Set(people.map(({ id }) => id))
    const came = next.filter(({ id, isSelf }) => !isSelf && !before.has(id))
    for (const { name } of came) spoken.textContent = texts.hasJoined(name)
  }
  function showPeople(next) {
    announce(next)
    people = next
    tiles.show(people)
    peoplePanel.show(people)
    const label = knobs.generation === 'earlier' ? texts.showEveryone : texts.joined(people.length)
    if (knobs.hasButtonLabels) peopleButton.setAttribute('aria-label', label)
    count.dataset.avatarCount = String(people.length)
    count.setAttribute('aria-label', texts.participantCount(people.length))
    count.textContent = String(people.length)
    alone.textContent = people.length === 1 ? texts.alone : ''
  }
  function paintCall() {
    const captions = el('div')
    captionPanel.mount(captions)
    extra.replaceChildren(captionsButton, moreButton(page))
    const title = el('div.u6vdEc', { 'data-meeting-title': page.title }, page.title)
    const foot = el('div', {}, title, el('div', { jsname: 'W5i7Bf' }, '10:30'), count)
    const audio = knobs.hasAudioElements ? [1, 2, 3].map(() => el('audio')) : []
    const nav = el('nav', {}, peopleButton, chatButton)
    spoken.textContent = texts.youJoined
    paint(...audio, spoken, captions, main, alone, bar, foot, nav, side)
    sounds.playIn(audio)
  }

  return {
    bar,
    sounds,
    enter() {
      if (isIn) return
      isIn = true
      paintCall()
      hideWhenIdle(bar, knobs)
      void wire.connect()
      void videos.show(main)
      if (knobs.hasCaptionsTip) showPrompt(page, { prompt: 'tip', isDeaf: false }, () => {})
    },
    people: showPeople,
    row(row) {
      tiles.speaks(row.speaker)
      peoplePanel.speaks(row.speaker)
      captionPanel.row(row)
    },
    rowGone: captionPanel.rowGone,
    setCaptionsAvailable: captionPanel.setCaptionsAvailable,
    chat: chatPanel.add,
    bytes: wire.deliver,
    connection(isLost) {
      lost?.remove()
      lost = isLost ? overlay(el('div', {}, texts.reconnecting)) : null
    },
    close() {
      // The tracks of the lobby stay.
      if (isIn) sounds.close()
      isIn = false
      wire.close()
      videos.close()
    },
  }
}
