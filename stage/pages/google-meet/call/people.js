import { el } from '../../common/dom.js'

const SPEAKING = ['Oaajhc', 'GF8M7d']
const SILENT = 'gjg47c'
const SPEAKING_MS = 1_500

/** The video tiles of all participants. */
export function createTiles(main, { speed }) {
  const tiles = new Map()

  function tileOf(player) {
    const name = el(
      'span.notranslate',
      player.isSelf ? { 'data-self-name': player.name } : {},
      player.name,
    )
    const voice = el(`div.IisKdb.${SILENT}`)
    const tile = el(
      'div.tile',
      { 'data-participant-id': player.deviceId, 'data-requested-participant-id': player.deviceId },
      voice,
      el('div.XEazBc', {}, name),
    )
    return { tile, voice, timer: 0 }
  }

  return {
    show(people) {
      const ids = new Set(people.map(({ id }) => id))
      for (const [id, { tile }] of tiles) {
        if (!ids.has(id)) {
          tile.remove()
          tiles.delete(id)
        }
      }
      for (const player of people) {
        if (tiles.has(player.id)) continue
        tiles.set(player.id, tileOf(player))
        main.append(tiles.get(player.id).tile)
      }
    },
    speaks({ id }) {
      const entry = tiles.get(id)
      if (!entry) return
      entry.voice.classList.remove(SILENT)
      entry.voice.classList.add(...SPEAKING)
      clearTimeout(entry.timer)
      entry.timer = setTimeout(() => {
        entry.voice.classList.remove(...SPEAKING)
        entry.voice.classList.add(SILENT)
      }, SPEAKING_MS / speed)
    },
  }
}

/** Three bars that move while the participant speaks. Readers recognize the middle one by its background position. */
function voiceBadge() {
  return el('div.voice', {}, el('div.bar'), el('div.bar'), el('div.bar'))
}

/** The participant list. Once opened, it stays in the page, even while the panel is closed. */
export function createPeoplePanel({ texts, knobs }) {
  const badges = new Map()
  const timers = new Map()
  const list = el('div', { role: 'list', 'aria-label': texts.participants })
  const panel = el(
    'div',
    { 'data-panel': 'people' },
    el('div', { role: 'heading' }, texts.people),
    list,
  )

  function badgeOf(id) {
    if (!badges.has(id)) badges.set(id, voiceBadge())
    return badges.get(id)
  }
  function item(player) {
    const notes = [player.isSelf ? `(${texts.you})` : '', player.isHost ? texts.host : '']
    return el(
      'div',
      { role: 'listitem', 'aria-label': player.name, 'data-participant-id': player.deviceId },
      el('span.zWGUib', {}, player.name),
      badgeOf(player.id),
      ...notes.filter((note) => note !== '').map((note) => el('span.d93U2d', {}, note)),
    )
  }

  return {
    panel,
    show: (people) => list.replaceChildren(...people.map(item)),
    speaks({ id }) {
      const { classList } = badgeOf(id)
      classList.add('moves')
      clearTimeout(timers.get(id))
      timers.set(
        id,
        setTimeout(() => classList.remove('moves'), SPEAKING_MS / knobs.speed),
      )
    },
  }
}
