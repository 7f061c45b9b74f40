import { el } from '../../common/dom.js'

const SPEAKING = 'vdi-frame-occlusion'
const SPEAKING_MS = 1_500

/** The platform marks the name of a participant without an account. */
export function shownName({ name, isSelf }) {
  return isSelf ? `${name} (Unverified)` : name
}

/** The video tiles of all participants. */
export function createTiles(stage, { speed, generation }) {
  const tiles = new Map()

  function tileOf(player) {
    const name = shownName(player)
    const voice = el('div', { 'data-tid': 'voice-level-stream-outline' })
    const attributes =
      generation === 'earlier'
        ? { 'data-cid': 'calling-participant-stream', 'aria-label': `${name}, muted` }
        : { 'data-tid': name }
    const tag = el('span', { 'data-tid': 'participant-info-nametag' }, name)
    const picture = el('div', { 'data-stream-type': 'Video', ...attributes }, voice, tag)
    return { tile: el('div', { role: 'menuitem', tabindex: '-1' }, picture), voice, timer: 0 }
  }

  return {
    show(people) {
      const ids = new Set(people.map(({ id }) => id))
      for (const [id, { tile }] of tiles) {
        if (ids.has(id)) continue
        tile.remove()
        tiles.delete(id)
      }
      for (const player of people) {
        if (tiles.has(player.id)) continue
        tiles.set(player.id, tileOf(player))
        stage.append(tiles.get(player.id).tile)
      }
    },
    speaks({ id }) {
      const entry = tiles.get(id)
      if (!entry) return
      entry.voice.classList.add(SPEAKING)
      clearTimeout(entry.timer)
      entry.timer = setTimeout(() => entry.voice.classList.remove(SPEAKING), SPEAKING_MS / speed)
    },
  }
}

/** The pane that lists all participants. */
export function createRoster({ texts }) {
  const count = el('span', { id: 'roster-title-section-2' })
  const tree = el('div', { role: 'tree', 'aria-label': texts.attendees })
  const pane = el(
    'div',
    { 'data-tid': 'roster-pane' },
    el('div', {}, texts.inThisMeeting, count),
    tree,
  )

  function item(player, i) {
    const name = shownName(player)
    const role = player.isHost
      ? [el('span', { 'data-tid': 'ts-roster-organizer-status' }, texts.organizer)]
      : []
    return el(
      'div',
      {
        role: 'treeitem',
        'data-cid': 'roster-participant',
        'data-tid': `participantsInCall-${name}`,
        'aria-label': `${name}, ${player.isHost ? `${texts.organizer}, ` : ''}muted`,
      },
      el('span', { id: `roster-avatar-img-${i}` }, name),
      ...role,
    )
  }

  return {
    pane,
    show(people) {
      count.textContent = `(${people.length})`
      tree.replaceChildren(...people.map(item))
    },
  }
}
