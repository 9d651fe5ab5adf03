import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ParsedFields, type SearchFields, searchFields } from '../platform/search-fields.ts'

type Options = {
  /** Replaces the entry in the history: for changes while someone types. */
  replace?: boolean
}

/**
 * The search parameters of a page of the back office: filters, sorting, page, and the open row. They are read here and
 * not by its route, so that a first visit does not load them.
 */
export function useTableSearch<F extends SearchFields>(fields: F) {
  const search = searchFields(fields)(useSearch({ strict: false }))
  const navigate = useNavigate()
  /** Changes parameters and returns to the first page, unless the page is one of them. */
  const change = (changes: Partial<Record<keyof F, unknown>>, { replace = false }: Options = {}) =>
    void navigate({
      to: '.',
      search: ((was: object) => ({ ...was, page: undefined, ...changes })) as never,
      replace,
      resetScroll: false,
    })
  return { search: search as ParsedFields<F>, change }
}
