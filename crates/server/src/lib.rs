//! HTTP and WebSocket, accounts, the store.
