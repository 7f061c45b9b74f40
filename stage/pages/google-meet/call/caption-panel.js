import { tell } from '../../common/feed.js'
import { currentRegion, earlierRegion, languageList } from './caption-layouts.js'

/**
 * The captions of one call: off until somebody turns them on, and then in a region of their own that does not
 * outlive them. What is said while they are off is lost.
 */
export function createBoard(page) {
  const { texts, knobs } = page
  /** How much of a row was said without being shown. */
  const missed = new Map()
  const rows = new Map()
  let place = null
  let region = null
  let list = null
  let isUp = knobs.hasCaptions
  let comesBack = false

  function open() {
    region = knobs.generation === 'earlier' ? earlierRegion(page) : currentRegion(page)
    list = languageList(page, (language) => tell({ kind: 'language', language }))
    place.append(region.element, list)
  }
  function close() {
    region.element.remove()
    list.remove()
    region = null
    rows.clear()
  }
  function rowOf({ rowId, speaker }) {
    const known = rows.get(rowId)
    if (known) return known
    const added = region.add(speaker, speaker.isSelf ? texts.you : speaker.name)
    rows.set(rowId, added)
    return added
  }

  return {
    get isOn() {
      return region !== null
    },
    mount(element) {
      place = element
    },
    toggle() {
      if (region) close()
      else if (isUp) open()
    },
    /** The platform loses its captions, and has them again. */
    captionsUp(areUp) {
      isUp = areUp
      if (areUp && comesBack && !region) open()
      if (!areUp) comesBack = region !== null
      if (!areUp && region) close()
    },
    row(change) {
      const { rowId, text } = change
      if (region === null) {
        missed.set(rowId, text.length)
        return
      }
      const from = rows.has(rowId) || missed.has(rowId) ? (missed.get(rowId) ?? 0) : 0
      rowOf(change).write(text.slice(from).trimStart())
    },
    rowGone(rowId) {
      rows.get(rowId)?.row.remove()
      rows.delete(rowId)
    },
  }
}
