import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

/**
 * The link to a line that the user followed, by its label and its position among links with this label, and how far the
 * page was scrolled.
 */
type FollowedLink = { label: string; position: number; scrollTop: number }

/** By the key of the history entry in which the link was followed. */
const followedLinks = new Map<string, FollowedLink>()

/** Remembers a link that is followed now, so that the browser's Back returns to it. */
export function rememberFollowedLink(link: HTMLAnchorElement): void {
  const label = link.ariaLabel
  if (label === null) return
  const position = findLinks(label).indexOf(link)
  followedLinks.set(entryKey(), { label, position, scrollTop: window.scrollY })
}

/** After Back, scrolls the page to where it was and moves the focus to the link that was followed there. */
export function useReturnToFollowedLink(): void {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onRendered', () => {
        const followed = followedLinks.get(entryKey())
        if (followed === undefined) return
        followedLinks.delete(entryKey())
        // A new page first gets the focus itself.
        requestAnimationFrame(() => returnTo(followed))
      }),
    [router],
  )
}

function returnTo({ label, position, scrollTop }: FollowedLink): void {
  window.scrollTo({ top: scrollTop })
  findLinks(label).at(position)?.focus({ preventScroll: true })
}

function findLinks(label: string): HTMLAnchorElement[] {
  const links = document.querySelectorAll<HTMLAnchorElement>('a[aria-label]')
  return [...links].filter((link) => link.ariaLabel === label)
}

/** The router stores the key. The first entry of a tab may have none. */
function entryKey(): string {
  const state = window.history.state as { key?: string } | null
  return state?.key ?? window.location.href
}
