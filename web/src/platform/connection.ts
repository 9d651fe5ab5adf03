import { create } from 'zustand'

/** Whether the browser has a network at all. A server that does not answer is said where it was asked. */
export const useConnection = create<{ offline: boolean }>(() => ({ offline: !navigator.onLine }))

const updateOnlineState = () => useConnection.setState({ offline: !navigator.onLine })
addEventListener('online', updateOnlineState)
addEventListener('offline', updateOnlineState)
