import { useSyncExternalStore } from 'react'

/** The meetings that send notifications in this browser: their titles by id, in the order in which they were chosen. */
export type FollowedMeetings = Readonly<Record<string, string>>

const STORAGE_KEY = 'hansard-notifications'
/** Meetings that ended while no tab was open stay in the list until newer ones take their place. */
const MAX_FOLLOWED = 20

const listeners = new Set<() => void>()

/** Whether a meeting sends notifications in this browser. */
export function useIsFollowed(meetingId: string): boolean {
  return useSyncExternalStore(subscribe, () => Object.hasOwn(readFollowedMeetings(), meetingId))
}

export function readFollowedMeetings(): FollowedMeetings {
  return parseFollowedMeetings(window.localStorage.getItem(STORAGE_KEY))
}

export function followMeeting(meetingId: string, title: string): void {
  write([...Object.entries(readFollowedMeetings()), [meetingId, title]])
}

export function unfollowMeeting(meetingId: string): void {
  write(Object.entries(readFollowedMeetings()).filter(([id]) => id !== meetingId))
}

/** What is stored may be of another version or changed by hand. Anything unexpected counts as nothing. */
export function parseFollowedMeetings(stored: string | null): FollowedMeetings {
  if (stored === null) return {}
  try {
    const value: unknown = JSON.parse(stored)
    if (typeof value !== 'object' || value === null) return {}
    return Object.fromEntries(
      Object.entries(value).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      ),
    )
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

function write(entries: Array<[string, string]>): void {
  const kept = entries.slice(-MAX_FOLLOWED)
  if (kept.length === 0) window.localStorage.removeItem(STORAGE_KEY)
  else window.localStorage.setItem(STORAGE_KEY, JSON.stringify(Object.fromEntries(kept)))
  for (const listener of listeners) listener()
}

/** The browser tells other tabs about a change with `storage` events. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}
