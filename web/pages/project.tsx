import '../projects/projects.css'
import { Stack } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { getRouteApi, useLocation } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { DocumentView } from '../projects/document-view.tsx'
import { Editor } from '../projects/editor.tsx'
import { isWritable, nameOf, type Place } from '../projects/place.ts'
import { useDocument, useFreshProjects } from '../projects/queries.ts'
import { Tree } from '../projects/tree.tsx'
import { NARROW } from '../ui/breakpoints.ts'
import { TextLink } from '../ui/links.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { SavedNote } from '../ui/saved-note.tsx'
import { ProjectFront } from '../projects/front.tsx'

const route = getRouteApi('/inside/projects/$projectId/$')

/** `/projects/ID`: what the project is, its transcripts, its files. `/projects/ID/PATH`: one document. */
export function ProjectPage() {
  const { projectId: project, _splat: path = '' } = route.useParams()
  const { view } = route.useSearch()
  const isAdding = view === 'new'
  if (path === '') {
    return (
      <Frame project={project} path="" title={isAdding ? 'New document' : project}>
        <ProjectFront project={project} isAdding={isAdding} />
      </Frame>
    )
  }
  return (
    <Frame project={project} path={path} title={nameOf(path)}>
      <OneDocument key={`${project}/${path}`} place={{ project, path }} />
    </Frame>
  )
}

function OneDocument({ place }: { place: Place }) {
  const { view } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useDocument(place)
  const target = useHashLine()
  const [note, setNote] = useState('')
  const isEditing = view === 'edit' && isWritable(place.path)
  return (
    <>
      <SavedNote>{note}</SavedNote>
      <Loaded query={query} what="the document">
        {(document) =>
          isEditing && document.text !== null ? (
            <Editor
              place={place}
              document={document}
              onDone={(said) => {
                setNote(said)
                void navigate({ search: { view: undefined }, replace: true })
              }}
            />
          ) : (
            <DocumentView
              place={place}
              document={document}
              isRaw={view === 'raw'}
              target={target}
            />
          )
        }
      </Loaded>
    </>
  )
}

interface FrameProps {
  project: string
  path: string
  title: string
  children: ReactNode
}

/** The files on the left; where there is no room, above, and folded while a document is open. */
function Frame({ project, path, title, children }: FrameProps) {
  useFreshProjects()
  const isNarrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false })
  const tree = <Tree key={project} project={project} current={path} />
  return (
    <Stack gap="md">
      <Stack gap={4}>
        <div className="break-anywhere">
          <TextLink to="/projects" size="sm">
            ← Projects
          </TextLink>
          {path !== '' && (
            <>
              {' / '}
              <TextLink
                to="/projects/$projectId/$"
                params={{ projectId: project, _splat: '' }}
                size="sm"
              >
                {project}
              </TextLink>
            </>
          )}
        </div>
        <div className="break-anywhere">
          <PageTitle>{title}</PageTitle>
        </div>
      </Stack>
      <div className="project-columns">
        {isNarrow ? (
          <details className="tree-fold" open={path === ''}>
            <summary>Files of {project}</summary>
            {tree}
          </details>
        ) : (
          tree
        )}
        <div className="project-content">{children}</div>
      </div>
    </Stack>
  )
}

/** The line that the address names: `#L12`. */
function useHashLine(): number | null {
  const hash = useLocation({ select: (location) => location.hash })
  const [, digits] = /^L(\d{1,7})$/.exec(hash) ?? []
  return digits === undefined ? null : Number(digits)
}
