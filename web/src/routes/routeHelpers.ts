import { createRootRoute, lazyRouteComponent, notFound, type RouteComponent } from '@tanstack/react-router'
import { DIALOGS } from '../platform/address.ts'
import { oneOf, searchFields } from '../platform/search-fields.ts'
import { Root } from '../site/Shell.tsx'

export const root = createRootRoute({
  component: Root,
  validateSearch: searchFields({ dialog: oneOf(DIALOGS) }),
})

/** A number in a path. A URL with anything else there is not found. */
function parsePositiveInteger(text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number) || number < 1) throw notFound()
  return number
}

/** The only parameter of a path, as a number. */
export const number = <Name extends string>(name: Name) => ({
  parse: (params: Record<Name, string>) => ({ [name]: parsePositiveInteger(params[name]) }) as Record<Name, number>,
  stringify: (params: Record<Name, number>) => ({ [name]: String(params[name]) }) as Record<Name, string>,
})

/** The same for an optional parameter. */
export const optionalNumber = <Name extends string>(name: Name) => ({
  parse: (params: { [name in Name]?: string }) =>
    (params[name] ? { [name]: parsePositiveInteger(params[name]) } : {}) as { [name in Name]?: number },
  stringify: (params: { [name in Name]?: number }) =>
    (params[name] ? { [name]: String(params[name]) } : {}) as { [name in Name]?: string },
})

/**
 * A screen whose code is loaded when it is opened. If that fails, the router would reload the whole page, which stops
 * the music and fails offline; with a different error message, BrokenScreen handles it instead.
 */
export const screen: typeof lazyRouteComponent = (loadComponent, name) =>
  lazyRouteComponent(
    () =>
      loadComponent().catch((cause) => {
        throw new Error('Couldn’t load the code for this page.', { cause })
      }),
    name,
  )

type LazyScreens = typeof import('../otherScreens.ts')

/** The names whose module exports a component of that name: without one, the router would show an empty page. */
type ScreenName = {
  [Name in keyof LazyScreens]: Name extends keyof Awaited<ReturnType<LazyScreens[Name]>> ? Name : never
}[keyof LazyScreens]

/** One of the other screens, by its name. */
export const lazyScreen = <Name extends ScreenName>(name: Name) =>
  screen(
    async () => (await (await import('../otherScreens.ts'))[name]()) as unknown as Record<Name, RouteComponent>,
    name,
  )

/** The music screens, with the right column. */
export const withSidebar = { getParentRoute: () => root, staticData: { hasSidebar: true } }
