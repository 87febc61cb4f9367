print("run: ok")
