import { useSyncExternalStore } from 'react'
const STORAGE_KEY = 'hansard-notifications'
/** Meetings that ended while no tab was open stay in the list until newer ones replace them. */
const MAX_FOLLOWED = 20

const listeners = new Set<() => void>()

/** True if a meeting sends notifications in this browser. */
export function useIsFollowed(meetingId: string): boolean {
  return useSyncExternalStore(subscribe, () => isFollowed(meetingId))
}

export function isFollowed(meetingId: string): boolean {
  return readFollowedMeetings().includes(meetingId)
}

export function followMeeting(meetingId: string): void {
  write([...readFollowedMeetings(), meetingId])
}

export function unfollowMeeting(meetingId: string): void {
  write(readFollowedMeetings().filter((id) => id !== meetingId))
}

/** Called on sign-out, so that the next user of this browser gets no notifications that they did not ask for. */
export function unfollowAllMeetings(): void {
  write([])
}

function readFollowedMeetings(): string[] {
  return parseFollowedMeetings(window.localStorage.getItem(STORAGE_KEY))
}

/**
 * The ids in the order in which they were chosen. Titles are not stored, because the next user of this browser could
 * read them. The stored value may be from another version or changed by hand. Anything unexpected is ignored.
 */
export function parseFollowedMeetings(stored: string | null): string[] {
  if (stored === null) return []
  try {
    const value: unknown = JSON.parse(stored)
    return Array.isArray(value) ? value.filter((id) => typeof id === 'string') : []
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
}

function write(ids: string[]): void {
  const kept = ids.slice(-MAX_FOLLOWED)
  if (kept.length === 0) window.localStorage.removeItem(STORAGE_KEY)
  else window.localStorage.setItem(STORAGE_KEY, JSON.stringify(kept))
  for (const listener of listeners) listener()
}

/** The browser notifies other tabs of a change with `storage` events. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}
