import type { ReactNode } from 'react'
import { useSignedInUser } from '../../api/use-api.tsx'
import {
  CalendarIcon,
  ChecklistIcon,
  DecisionIcon,
  FolderIcon,
  HomeIcon,
  MeetingIcon,
  PersonIcon,
  PromptIcon,
  QuestionIcon,
  SearchIcon,
  SendIcon,
  SystemIcon,
  TaskIcon,
} from '../../ui/icons.tsx'

interface MenuPage {
  to: string
  label: string
  /** The keyboard shortcut. */
  keys: string
  icon: ReactNode
  /** The part of the menu: for daily use, for developers and administrators, or in the signed-in user's panel. */
  group: 'daily' | 'manage' | 'user'
}

const PAGES = [
  { to: '/', label: 'Home', keys: 'g h', icon: <HomeIcon />, group: 'daily' },
  { to: '/meetings', label: 'Meetings', keys: 'g m', icon: <MeetingIcon />, group: 'daily' },
  { to: '/upcoming', label: 'Upcoming', keys: 'g u', icon: <CalendarIcon />, group: 'daily' },
  { to: '/actions', label: 'Actions', keys: 'g c', icon: <ChecklistIcon />, group: 'daily' },
  { to: '/decisions', label: 'Decisions', keys: 'g e', icon: <DecisionIcon />, group: 'daily' },
  { to: '/ask', label: 'Ask', keys: 'g q', icon: <QuestionIcon />, group: 'daily' },
  { to: '/search', label: 'Search', keys: 'g /', icon: <SearchIcon />, group: 'daily' },
  { to: '/projects', label: 'Projects', keys: 'g p', icon: <FolderIcon />, group: 'daily' },
  { to: '/tasks', label: 'Tasks', keys: 'g t', icon: <TaskIcon />, group: 'daily' },
  { to: '/prompts', label: 'Prompts', keys: 'g r', icon: <PromptIcon />, group: 'daily' },
  { to: '/deliveries', label: 'Deliveries', keys: 'g d', icon: <SendIcon />, group: 'manage' },
  { to: '/account', label: 'Account', keys: 'g a', icon: <PersonIcon />, group: 'user' },
] as const satisfies MenuPage[]

/** The pages in the bar at the bottom of a phone. */
export const PHONE_BAR_PAGES: ReadonlySet<string> = new Set([
  '/',
  '/meetings',
  '/upcoming',
  '/actions',
])

const ADMIN_PAGES = [
  { to: '/system', label: 'System', keys: 'g s', icon: <SystemIcon />, group: 'manage' },
] as const satisfies MenuPage[]

type Page = MenuPage & { to: (typeof PAGES | typeof ADMIN_PAGES)[number]['to'] }

/** The pages of the main menu. The command palette and the keyboard shortcuts use the same list. */
export function useMenuPages(): readonly Page[] {
  return useSignedInUser().role === 'admin' ? [...PAGES, ...ADMIN_PAGES] : PAGES
}

/** The menu entry to highlight for pages whose address does not begin with that entry's address. */
const OTHER_ADDRESSES: Readonly<Record<string, string>> = {
  '/tasks': '/runs/',
  '/prompts': '/new-prompt',
}

/** True if the menu highlights the page `to`. */
export function isActivePage(to: string, path: string): boolean {
  if (to === '/') return path === '/'
  return path.startsWith(to) || path.startsWith(OTHER_ADDRESSES[to] ?? to)
}
