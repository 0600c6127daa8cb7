/** Images in data URLs in HTML. */
export const imageData = /data:image\/[^"'>]*/gi
