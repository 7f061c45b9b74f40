import { reportAction } from '../../common/feed.js'
import { currentRenderer, earlierRenderer } from './caption-layouts.js'
import { shownName } from './people.js'

/**
 * The captions of one call. The list contains only the newest rows. Speech while captions are off is not shown, but the
 * next change of a running utterance shows its whole text.
 */
export function createCaptionPanel(page) {
  const { knobs } = page
  const rows = new Map()
  let place = null
  let renderer = null
  let isAvailable = true
  let wasOnBeforeLoss = false

  function showEmptyArea() {
    if (knobs.hasEmptyCaptionArea) place.append(currentRenderer(page).element)
  }
  function open() {
    place.replaceChildren()
    renderer = knobs.generation === 'earlier' ? earlierRenderer(page) : currentRenderer(page)
    place.append(renderer.element)
  }
  function close() {
    renderer.element.remove()
    renderer = null
    rows.clear()
    showEmptyArea()
  }
  function rowOf({ rowId, speaker }) {
    const known = rows.get(rowId)
    if (known) return known
    const row = rows.size < knobs.keptRows ? renderer.make() : oldest()
    rows.set(rowId, row)
    renderer.list.append(row.row)
    row.name(knobs.captionsHaveNames ? shownName(speaker) : '', rowId)
    return row
  }
  /** Removes the oldest row. With `recyclesRows`, its element is reused for the next row. */
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
      showEmptyArea()
    },
    turn(isOn) {
      if (isOn === (renderer !== null) || (isOn && !isAvailable)) return
      if (isOn) open()
      else close()
      void reportAction(isOn ? 'captions on' : 'captions off')
    },
    setCaptionsAvailable(areAvailable) {
      isAvailable = areAvailable
      if (areAvailable && wasOnBeforeLoss && !renderer) open()
      if (!areAvailable) wasOnBeforeLoss = renderer !== null
      if (!areAvailable && renderer) close()
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
