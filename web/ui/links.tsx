import { createLink } from '@tanstack/react-router'
import type { ReactNode, AnchorHTMLAttributes, Ref } from 'react'
import { type ButtonProps, Button, type AnchorProps, Anchor } from '@mantine/core'
import { ArrowLeftIcon } from './icons.tsx'
import { markDirectionControls } from './format/format-text.ts'

type Anchored<Props> = Props &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof Props> & { ref?: Ref<HTMLAnchorElement> }

/** Router links in Mantine's styles. */
export const TextLink = createLink((props: Anchored<AnchorProps>) => <Anchor {...props} />)
export const ButtonLink = createLink((props: Anchored<ButtonProps>) => (
  <Button component="a" {...props} />
))

/** A link that names something in a list, such as a meeting. Underlined only under the pointer. */
export const TitleLink = createLink(({ className = '', ...props }: Anchored<object>) => (
  <a {...props} className={`title-link ${className}`} />
))

/** Links to the list that a page belongs to. Only as wide as its text. */
export const BackLink = createLink(({ children, ...props }: Anchored<{ children?: ReactNode }>) => (
  <a {...props} className="back-link">
    <ArrowLeftIcon />
    {children}
  </a>
))

/** A name from outside, such as a title or a file name. Its direction does not affect the surrounding text. */
export function Name({ children }: { children: string }) {
  return <bdi>{markDirectionControls(children)}</bdi>
}

/** The page of a meeting, for links and for the router. */
export const meetingPage = (meetingId: string) =>
  ({ to: '/meetings/$meetingId', params: { meetingId } }) as const

/** The page of a project or, with a path, of one of its documents. */
export const projectPage = (projectId: string, path = '') =>
  ({ to: '/projects/$projectId/$', params: { projectId, _splat: path } }) as const

export const taskPage = (name: string) => ({ to: '/tasks/$name', params: { name } }) as const
