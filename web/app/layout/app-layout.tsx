import { UnstyledButton, Button, Group, Text } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { type RefObject, type ReactNode, useEffect, useRef, lazy, Suspense, useState } from 'react'
import { useEventStream, useEventStreamState } from '../../api/event-stream-context.tsx'
import { BottomBar, MainMenu } from './main-menu.tsx'
import { BrandLogoAndName, SkipLink } from './signed-out-layout.tsx'
import { useReturnToFollowedLink } from '../../meetings/followed-links.ts'
import { BOTTOM_BAR_MEDIA_QUERY } from '../../ui/breakpoints.ts'
import { SearchIcon } from '../../ui/icons.tsx'
import { useMenuPages } from './menu-pages.tsx'
import { useShortcuts } from '../../ui/use-shortcuts.ts'

/** A side bar beside the page. On a phone, a bar above and a bar below the page, whose "More" opens the side bar. */
export function AppLayout() {
  const [isOpen, menu] = useDisclosure(false)
  const { openSearch, openShortcuts, dialogs } = useShortcutDialogs()
  const navigation = useRef<HTMLElement>(null)
  const moreButton = useRef<HTMLButtonElement>(null)
  useMenuFocus(isOpen, navigation, moreButton)
  useFocusOnNewPage(isOpen, menu.close)
  useCloseMenu(isOpen, menu.close)
  useReturnToFollowedLink()
  return (
    <div className="shell">
      {!isOpen && <SkipLink />}
      <header className="top-bar" inert={isOpen}>
        <Link to="/" aria-label="Hansard, home" className="brand-link">
          <BrandLogoAndName />
        </Link>
        <UnstyledButton className="top-bar-search" aria-label="Search" onClick={openSearch}>
          <SearchIcon />
        </UnstyledButton>
      </header>
      {isOpen && <div className="sidebar-shade" aria-hidden onClick={menu.close} />}
      <nav
        id="menu"
        ref={navigation}
        className="sidebar"
        aria-label="Main"
        data-open={isOpen || undefined}
      >
        <MainMenu onChosen={menu.close} onSearch={openSearch} onShowShortcuts={openShortcuts} />
      </nav>
      <main id="main" className="page" tabIndex={-1} inert={isOpen}>
        <ConnectionLostBanner />
        <Outlet />
      </main>
      <BottomBar isMenuOpen={isOpen} moreButton={moreButton} onToggleMenu={menu.toggle} />
      {dialogs}
    </div>
  )
}

/** Focuses the content after navigation, so that the keyboard starts at the top of the new page. */
function useFocusOnNewPage(isMenuOpen: boolean, closeMenu: () => void): void {
  const pathname = useLocation({ select: (location) => location.pathname })
  const last = useRef(pathname)
  useEffect(() => {
    if (last.current === pathname) return
    // The content can't take the focus while the menu covers it.
    if (isMenuOpen) return closeMenu()
    last.current = pathname
    document.getElementById('main')?.focus()
  }, [pathname, isMenuOpen, closeMenu])
}

/** Moves the focus into a phone's menu when it opens, and back to its button when it closes. */
function useMenuFocus(
  isOpen: boolean,
  navigation: RefObject<HTMLElement | null>,
  moreButton: RefObject<HTMLElement | null>,
): void {
  useEffect(() => {
    if (!isOpen) return undefined
    navigation.current?.querySelector<HTMLElement>('.sidebar-link')?.focus()
    const button = moreButton.current
    return () => button?.focus()
  }, [isOpen, navigation, moreButton])
}

/** Closes the menu on Escape, and when the window becomes wide enough to show it beside the page. */
function useCloseMenu(isOpen: boolean, close: () => void): void {
  useEffect(() => {
    if (!isOpen) return undefined
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape') close()
    }
    const wide = window.matchMedia(`not all and ${BOTTOM_BAR_MEDIA_QUERY}`)
    window.addEventListener('keydown', onKeyDown)
    wide.addEventListener('change', close)
    return () => {
      window.removeEventListener('keydown', onKeyDown)
      wide.removeEventListener('change', close)
    }
  }, [isOpen, close])
}

/** Rendered even if empty, so that screen readers announce changes of the connection. */
function ConnectionLostBanner() {
  const stream = useEventStream()
  const state = useEventStreamState()
  return (
    <div role="status" className={state === 'lost' ? 'lost-banner' : ''}>
      {state === 'lost' && (
        <Group justify="space-between" gap="sm">
          <Text size="sm">
            Connection lost. This page may be out of date. Hansard reconnects automatically and then
            shows what was recorded in the meantime.
          </Text>
          <Button variant="default" size="xs" onClick={stream.retry}>
            Retry now
          </Button>
        </Group>
      )}
    </div>
  )
}

const Palette = lazy(async () => ({
  default: (await import('../command-palette/command-palette.tsx')).CommandPalette,
}))
const KeyDialog = lazy(async () => ({
  default: (await import('../command-palette/keyboard-shortcuts-dialog.tsx'))
    .KeyboardShortcutsDialog,
}))
const NewTokenDialog = lazy(async () => ({
  default: (await import('../../account/tokens/new-token-dialog.tsx')).NewTokenDialog,
}))

type OpenDialog = 'palette' | 'keys' | 'token' | null

interface ShortcutDialogs {
  openSearch: () => void
  openShortcuts: () => void
  /** The open dialog. The layout renders it. */
  dialogs: ReactNode
}

/** Binds the shortcuts that work on every page, and opens the command palette and the list of shortcuts. */
function useShortcutDialogs(): ShortcutDialogs {
  const navigate = useNavigate()
  const pages = useMenuPages()
  const [open, setOpen] = useState<OpenDialog>(null)
  const close = () => setOpen(null)
  const closeOnly = (dialog: OpenDialog) => () =>
    setOpen((current) => (current === dialog ? null : current))
  // Ctrl+K (⌘K on a Mac) opens the command palette even while a text field has the focus.
  useHotkeys([['mod+K', () => setOpen('palette')]], [], true)
  useShortcuts({
    ...Object.fromEntries(pages.map(({ keys, to }) => [keys, () => void navigate({ to })])),
    '?': () => setOpen('keys'),
  })
  const dialogs = (
    <Suspense>
      {open === 'palette' && (
        <Palette
          onClose={closeOnly('palette')}
          onNewToken={() => setOpen('token')}
          onShowShortcuts={() => setOpen('keys')}
        />
      )}
      {open === 'keys' && <KeyDialog onClose={close} />}
      {open === 'token' && <NewTokenDialog onClose={close} />}
    </Suspense>
  )
  return {
    openSearch: () => setOpen('palette'),
    openShortcuts: () => setOpen('keys'),
    dialogs,
  }
}
