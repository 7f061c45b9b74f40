import { tellDeed } from '../../common/feed.js'
import { currentRenderer, earlierRenderer } from './caption-layouts.js'
import { shownName } from './people.js'

/**
 * The captions of one call. The list keeps its newest rows only; what is said while captions are off is lost,
 * but an utterance that has begun shows whole with its next change.
 */
export function createBoard(page) {
  const { knobs } = page
  const rows = new Map()
  let place = null
  let renderer = null
  let isUp = true
  let comesBack = false

  function open() {
    renderer = knobs.generation === 'earlier' ? earlierRenderer(page) : currentRenderer(page)
    place.append(renderer.element)
  }
  function close() {
    renderer.element.remove()
    renderer = null
    rows.clear()
  }
  function rowOf({ rowId, speaker }) {
    const known = rows.get(rowId)
    if (known) return known
    const row = rows.size < knobs.keptRows ? renderer.make() : oldest()
    rows.set(rowId, row)
    renderer.list.append(row.row)
    row.name(shownName(speaker), rowId)
    return row
  }
  /** The row that makes room: used again with another text where the knob says so. */
  function oldest() {
    const [[rowId, row]] = rows
    rows.delete(rowId)
    row.row.remove()
    return knobs.recyclesRows ? row : renderer.make()
  }

  return {
    get isOn() {
      return renderer !== null
    },
    mount(element) {
      place = element
    },
    turn(isOn) {
      if (isOn === (renderer !== null) || (isOn && !isUp)) return
      if (isOn) open()
      else close()
      void tellDeed(isOn ? 'captions on' : 'captions off')
    },
    /** The platform loses its captions, and has them again. */
    captionsUp(areUp) {
      isUp = areUp
      if (areUp && comesBack && !renderer) open()
      if (!areUp) comesBack = renderer !== null
      if (!areUp && renderer) close()
    },
    row(change) {
      if (renderer) rowOf(change).write(change.text)
    },
    rowGone(rowId) {
      rows.get(rowId)?.row.remove()
      rows.delete(rowId)
    },
  }
}
