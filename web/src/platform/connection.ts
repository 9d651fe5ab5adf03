import { create } from 'zustand'

/** Whether the browser has a network connection at all. A server that does not reply is reported with each request. */
export const useConnection = create<{ offline: boolean }>(() => ({ offline: !navigator.onLine }))

const updateOnlineState = () => useConnection.setState({ offline: !navigator.onLine })
addEventListener('online', updateOnlineState)
addEventListener('offline', updateOnlineState)
