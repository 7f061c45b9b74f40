import { TextInput } from '@mantine/core'
import { useId } from 'react'
import { useDebouncedUrlField } from '../ui/forms/use-debounced-field.ts'
import { useProjects } from './queries.ts'

interface ProjectFilterFieldProps {
  /** The project in the URL. */
  project: string | undefined
  onChange: (project: string | undefined) => void
}

/** Filters a list by project. Suggests the known projects while the user types. */
export function ProjectFilterField({ project, onChange }: ProjectFilterFieldProps) {
  const listId = useId()
  const projects = useProjects().data?.pages.flatMap((page) => page.projects) ?? []
  const [text, setText] = useDebouncedUrlField(project ?? '', (typed) =>
    onChange(typed || undefined),
  )
  return (
    <>
      <TextInput
        label="Project"
        list={listId}
        flex="1 1 140px"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <datalist id={listId}>
        {projects.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  )
}
