// In component tests this takes the place of 'zustand' (web/component-tests.ts): the page is not loaded again between tests, and
// every store has its first state again instead.

import { create as createStore, type UseBoundStore } from 'zustand/react'
import type { StateCreator, StoreApi } from 'zustand/vanilla'

export { useStore } from 'zustand/react'
export * from 'zustand/vanilla'

const stores = new Set<StoreApi<unknown>>()

export function create<T>(initializer: StateCreator<T>): UseBoundStore<StoreApi<T>> {
  const store = createStore<T>(initializer)
  stores.add(store as StoreApi<unknown>)
  return store
}

export function resetStores(): void {
  for (const store of stores) store.setState(store.getInitialState(), true)
}
