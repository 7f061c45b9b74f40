import { Stack } from '@mantine/core'
import {
  createContext,
  use,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
  type SubmitEvent,
} from 'react'
import { toApiError } from '../api-error.ts'
import { ErrorBox } from './error-box.tsx'
import type { Action } from './use-action.ts'

type Problems = Record<string, string>

const ProblemsContext = createContext<Problems>({})

export function useFieldProblem(name: string): string | undefined {
  return use(ProblemsContext)[name]
}

interface FormProps {
  action: Action<[FormData]>
  children: ReactNode
}

/** Checks with the browser's own rules but shows the result beside the fields, where it stays. */
export function Form({ action, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null)
  const [unmet, setUnmet] = useState<Problems>({})
  const [names, setNames] = useState<string[]>([])
  const problems = useMemo(() => ({ ...problemsOf(action.error), ...unmet }), [action.error, unmet])

  useEffect(() => {
    if (action.error) focusFirst(form.current, Object.keys(problemsOf(action.error)))
  }, [action.error])

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault()
    // A dialog's form is a child of the page's in React's tree, not in the document's.
    event.stopPropagation()
    const found = findUnmet(event.currentTarget)
    setUnmet(found)
    setNames(namedFields(event.currentTarget).map(({ name }) => name))
    if (Object.keys(found).length > 0) focusFirst(event.currentTarget, Object.keys(found))
    else void action.run(new FormData(event.currentTarget))
  }

  return (
    <form ref={form} onSubmit={submit} noValidate>
      <ProblemsContext value={problems}>
        <Stack gap="md">
          {children}
          {action.error ? <ErrorBox error={action.error} shownFields={names} /> : null}
        </Stack>
      </ProblemsContext>
    </form>
  )
}

export function readText(values: FormData, name: string): string {
  const value = values.get(name)
  return typeof value === 'string' ? value : ''
}

function problemsOf(error: unknown): Problems {
  if (!error) return {}
  return Object.fromEntries(toApiError(error).details.map(({ path, message }) => [path, message]))
}

type Field = HTMLInputElement | HTMLSelectElement

function namedFields(form: HTMLFormElement | null): Field[] {
  return [...(form?.querySelectorAll<Field>('input[name], select[name]') ?? [])]
}

function findUnmet(form: HTMLFormElement): Problems {
  const invalid = namedFields(form).filter((field) => !field.validity.valid)
  return Object.fromEntries(invalid.map((field) => [field.name, field.validationMessage]))
}

function focusFirst(form: HTMLFormElement | null, names: string[]): void {
  const field = namedFields(form).find(({ name }) => names.includes(name))
  const target = field ?? form?.querySelector<HTMLElement>('[role="alert"]')
  target?.focus()
}
