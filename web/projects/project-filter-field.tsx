import { type TextInputProps, TextInput } from '@mantine/core'
import { useId } from 'react'
import { useDebouncedUrlField } from '../ui/forms.tsx'
import { useProjects } from './queries.ts'

interface ProjectFilterFieldProps {
  /** The project in the URL. */
  project: string | undefined
  onChange: (project: string | undefined) => void
}

export function ProjectFilterField({ project, onChange }: ProjectFilterFieldProps) {
  const [text, setText] = useDebouncedUrlField(project ?? '', (typed) =>
    onChange(typed || undefined),
  )
  return <ProjectInput value={text} onChange={setText} />
}

type ProjectInputProps = Omit<TextInputProps, 'onChange'> & { onChange: (text: string) => void }

/** A text field that suggests the known projects. */
export function ProjectInput({ onChange, ...field }: ProjectInputProps) {
  const listId = useId()
  const projects = useProjects().data?.pages.flatMap((page) => page.projects) ?? []
  return (
    <>
      <TextInput
        label="Project"
        list={listId}
        flex="1 1 140px"
        {...field}
        onChange={(event) => onChange(event.currentTarget.value)}
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
