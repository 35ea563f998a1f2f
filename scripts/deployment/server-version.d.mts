export const serverVersion: string;
