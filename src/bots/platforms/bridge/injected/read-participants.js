import { normalizeText } from './find-parts.js'

const MAX_PEOPLE = 1_000

/** Reads the participant list while it is open. The platform's own code interprets the items. */
export function readParticipants({ findHidden }) {
  const list = findHidden('peopleList', document)[0]
  if (list === undefined) return null
  return findHidden('personItem', list)
    .slice(0, MAX_PEOPLE)
    .map((item) => ({
      id: item.getAttribute('data-participant-id') ?? '',
      label: normalizeText(item.getAttribute('aria-label')),
      name: normalizeText(findHidden('personName', item)[0]?.textContent),
      isHost: findHidden('personIsHost', item).length > 0,
      notes: [...item.children].slice(0, 20).map((child) => normalizeText(child.textContent)),
    }))
}
