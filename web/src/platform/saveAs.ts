/** Hands an address to the browser's own download, under a name; the page stays. */
export function saveAs(url: string, name: string) {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.hidden = true
  document.body.append(link)
  link.click()
  link.remove()
}
