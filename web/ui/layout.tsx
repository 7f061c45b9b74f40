import { AppShell, Burger, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { LostBanner } from '../live/lost-banner.tsx'
import { Brand } from './brand.tsx'
import { MainMenu } from './main-menu.tsx'
import { Shortcuts } from './shortcuts.tsx'
import { SkipLink } from './skip-link.tsx'

export function Layout() {
  const [isOpen, menu] = useDisclosure(false)
  useFocusOnNewPage(menu.close)
  return (
    <AppShell
      header={{ height: 60 }}
      navbar={{ width: 240, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', sm: 'xl' }}
      transitionDuration={120}
    >
      <SkipLink />
      <AppShell.Header>
        <Group h="100%" px="md" gap="sm">
          <Burger
            opened={isOpen}
            onClick={menu.toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label={isOpen ? 'Close menu' : 'Open menu'}
            aria-expanded={isOpen}
            aria-controls="menu"
          />
          <Link to="/" aria-label="Hansard, home" className="brand-link">
            <Brand />
          </Link>
          <Shortcuts />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar id="menu" p="md" aria-label="Main">
        <MainMenu onChosen={menu.close} />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        <LostBanner />
        <Outlet />
      </AppShell.Main>
    </AppShell>
  )
}

/** A new page starts at its top for the keyboard too; the first one keeps the browser's own start. */
function useFocusOnNewPage(closeMenu: () => void): void {
  const pathname = useLocation({ select: (location) => location.pathname })
  const last = useRef(pathname)
  useEffect(() => {
    if (last.current === pathname) return
    last.current = pathname
    closeMenu()
    document.getElementById('main')?.focus()
  }, [pathname, closeMenu])
}
