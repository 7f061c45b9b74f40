import { sendReport } from '../../common/feed.js'
import { currentRegion, earlierRegion, languageList } from './caption-layouts.js'

/** The captions of one call, off at first. While they are off, the page has no region and speech is not shown. */
export function createCaptionPanel(page) {
  const { texts, knobs } = page
  /** For each row: the length of the text that was spoken while captions were off. */
  const missed = new Map()
  const rows = new Map()
  let place = null
  let region = null
  let list = null
  let isAvailable = knobs.hasCaptions
  let wasOnBeforeLoss = false
  let changed = () => {}

  /** Some pages have the region before captions are on, but without rows. */
  function showEmptyArea() {
    if (knobs.hasEmptyCaptionArea) place.append(currentRegion(page).element)
  }
  function open() {
    place.replaceChildren()
    region = knobs.generation === 'earlier' ? earlierRegion(page) : currentRegion(page)
    list = languageList(page, (language) => sendReport({ kind: 'language', language }))
    place.append(region.element, list)
  }
  function close() {
    region.element.remove()
    list.remove()
    region = null
    rows.clear()
    showEmptyArea()
  }
  function rowOf({ rowId, speaker }) {
    const known = rows.get(rowId)
    if (known) return known
    const name = speaker.isSelf ? texts.you : speaker.name
    const added = region.add(speaker, knobs.captionsHaveNames ? name : '')
    rows.set(rowId, added)
    return added
  }

  return {
    get isOn() {
      return region !== null
    },
    mount(element) {
      place = element
      showEmptyArea()
    },
    /** Calls the function when captions are turned on or off. */
    onChange(notify) {
      changed = notify
    },
    toggle() {
      if (region) close()
      else if (isAvailable) open()
      changed()
    },
    setCaptionsAvailable(areAvailable) {
      isAvailable = areAvailable
      if (areAvailable && wasOnBeforeLoss && !region) open()
      if (!areAvailable) wasOnBeforeLoss = region !== null
      if (!areAvailable && region) close()
      changed()
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
